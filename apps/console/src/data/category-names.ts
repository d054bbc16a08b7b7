import type { MerchantCategory } from "@purser/client";
import { inWords } from "./format.ts";

/**
 * Names of merchant categories as people write them, where underscores alone do not tell how: with commas, apostrophes and
 * initials. Without those, each is the name that the service has for the category.
 */
const written = [
  "Artists’ supply and craft shops",
  "Accounting, bookkeeping services",
  "Airlines, air carriers",
  "Airports, flying fields",
  "Amusement parks, carnivals",
  "Architectural, surveying services",
  "Bands, orchestras",
  "Betting, casino gambling",
  "Billiard, pool establishments",
  "Books, periodicals and newspapers",
  "Business, secretarial schools",
  "Buying, shopping services",
  "Cable, satellite and other pay television and radio",
  "Camera and photographic supply stores",
  "Candy, nut and confectionery stores",
  "Car and truck dealers, used only",
  "Carpet, upholstery cleaning",
  "Children’s and infants’ wear stores",
  "Chiropodists, podiatrists",
  "Civic, social, fraternal associations",
  "Colleges, universities",
  "Commercial photography, art and graphics",
  "Computers, peripherals and software",
  "Consulting, public relations",
  "Dance hall, studios, schools",
  "Dating, escort services",
  "Dentists, orthodontists",
  "Direct marketing: catalog merchant",
  "Direct marketing: combination catalog and retail merchant",
  "Direct marketing: inbound telemarketing",
  "Direct marketing: insurance services",
  "Direct marketing: other",
  "Direct marketing: outbound telemarketing",
  "Direct marketing: subscription",
  "Direct marketing: travel",
  "Door-to-door sales",
  "Drapery, window covering and upholstery stores",
  "Drugs, drug proprietaries and druggist sundries",
  "Eating places, restaurants",
  "Elementary, secondary schools",
  "Employment, temp agencies",
  "Fines, government administrative entities",
  "Fireplace, fireplace screens and accessories stores",
  "Florists’ supplies, nursery stock and flowers",
  "Fuel dealers, non-automotive",
  "Funeral services, crematories",
  "Furniture, home furnishings and equipment stores, except appliances",
  "Furniture repair, refinishing",
  "Gift card, novelty and souvenir shops",
  "Glass, paint and wallpaper stores",
  "Glassware, crystal stores",
  "Government-owned lotteries, non-US region",
  "Government-owned lotteries, US region only",
  "Golf courses, public",
  "Grocery stores, supermarkets",
  "Hardware, equipment and supplies",
  "Heating, plumbing, A/C",
  "Hobby, toy and game shops",
  "Home supply, warehouse stores",
  "Hotels, motels and resorts",
  "Jewelry stores, watches, clocks and silverware stores",
  "Laundry, cleaning services",
  "Legal services, attorneys",
  "Lumber, building materials stores",
  "Marinas, service and supplies",
  "Medical, dental, ophthalmic and hospital equipment and supplies",
  "Men’s and boys’ clothing and accessories stores",
  "Men’s, women’s clothing stores",
  "Motorcycle shops, dealers",
  "Music stores, musical instruments, pianos and sheet music",
  "News dealers and newsstands",
  "Nurseries, lawn and garden supply stores",
  "Nursing, personal care",
  "Optometrists, ophthalmologist",
  "Opticians, eyeglasses",
  "Orthopedic goods, prosthetic devices",
  "Package stores: beer, wine and liquor",
  "Paints, varnishes and supplies",
  "Parking lots, garages",
  "Pet shops, pet food and supplies",
  "Photographic, photocopy, microfilm equipment and supplies",
  "Picture, video production",
  "Piece goods, notions and other dry goods",
  "Plumbing, heating equipment and supplies",
  "Postal services, government only",
  "Quick copy, repro and blueprint",
  "Roofing, siding, sheet metal",
  "Security brokers, dealers",
  "Sewing, needlework, fabric and piece goods stores",
  "Shoe repair, hat cleaning",
  "Sporting, recreation camps",
  "Sports clubs, fields",
  "Tailors, alterations",
  "Tax payments, government agencies",
  "Taxicabs, limousines",
  "Trailer parks, campgrounds",
  "Travel agencies, tour operators",
  "Truck, utility trailer rentals",
  "Uniforms, commercial clothing",
  "Watch, jewelry repair",
  "Wires, money orders",
  "Women’s accessory and specialty shops",
  "Women’s ready-to-wear stores",
] as const;

const nameOf = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll("’", "")
    .replaceAll(/[^a-z0-9]+/g, "_");

const byName = new Map([
  ...written.map((words) => [nameOf(words), words] as const),
  // The service leaves out a word, or writes one in its own way.
  ["ac_refrigeration_repair", "AC, refrigeration repair"],
  ["car_and_truck_dealers_new_used", "Car and truck dealers, new and used"],
  ["t_ui_travel_germany", "TUI travel, Germany"],
  ["u_s_federal_government_agencies_or_departments", "US federal government agencies or departments"],
  ["automated_cash_disburse", "Cash from an ATM"],
  ["manual_cash_disburse", "Cash from a bank"],
  ["non_fi_money_orders", "Money orders, not by a bank"],
  ["non_fi_stored_value_card_purchase_load", "Stored value cards, not by a bank"],
]);

/** A merchant category's name, as people write it. */
export const categoryNameInWords = (name: string): string => byName.get(name) ?? inWords(name);

/** Whether a network or a policy names a category by its code (MCC). */
export const isCode = (category: string): boolean => /^\d/.test(category);

/** The known category that a network means by a name or a code. */
export const findCategory = (
  category: string,
  known: readonly MerchantCategory[],
): MerchantCategory | undefined =>
  known.find(({ code, name, includes }) => {
    const isIncluded = includes !== null && includes.from <= category && category <= includes.to;
    return code === category || name === category || (isIncluded && isCode(category));
  });
