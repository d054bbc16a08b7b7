/** Apart from the list of deliveries, because the address is read before the page is loaded. */
export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED"] as const;
