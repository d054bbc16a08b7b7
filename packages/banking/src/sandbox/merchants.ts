/** A merchant name as it appears on statements, with typical amounts. */
export interface SandboxMerchant {
  name: string;
  category: string | null;
  /** In pence. */
  least: number;
  most: number;
}

const merchant = (name: string, category: string | null, least: number, most: number): SandboxMerchant => ({
  name,
  category,
  least,
  most,
});

/** Merchants that exist in every country. */
const online = [
  merchant("AMZN MKTP*", "SHOPPING", 599, 7400),
  merchant("PAYPAL *EBAY", "SHOPPING", 400, 5200),
  merchant("UBER *TRIP", "TRANSPORT", 620, 2650),
  merchant("BOOKING.COM", "TRAVEL", 5400, 21_000),
  // Merchants with a mobile card reader often appear by name only.
  merchant("SUMUP *MARKET STALL", null, 250, 1800),
];

const british = [
  merchant("TESCO STORES", "GROCERIES", 420, 6900),
  merchant("SAINSBURYS S/MKT", "GROCERIES", 380, 7400),
  merchant("CO-OP GROUP FOOD", "GROCERIES", 210, 2300),
  merchant("LIDL GB", "GROCERIES", 610, 4800),
  merchant("TFL TRAVEL CH", "TRANSPORT", 180, 890),
  merchant("TRAINLINE", "TRANSPORT", 940, 6200),
  merchant("SHELL", "TRANSPORT", 2500, 7200),
  merchant("PRET A MANGER", "EATING_OUT", 285, 1190),
  merchant("GREGGS", "EATING_OUT", 170, 760),
  merchant("THE CROWN & ANCHOR", "EATING_OUT", 560, 4800),
  merchant("DELIVEROO", "EATING_OUT", 1290, 3900),
  merchant("BOOTS", "HEALTH", 320, 2900),
  merchant("ARGOS", "SHOPPING", 799, 9900),
  merchant("WATERSTONES", "SHOPPING", 699, 3200),
  merchant("ODEON CINEMAS", "ENTERTAINMENT", 850, 3100),
];

const german = [
  merchant("REWE SAGT DANKE", "GROCERIES", 420, 6400),
  merchant("EDEKA", "GROCERIES", 380, 5900),
  merchant("BACKEREI HANSEN", "GROCERIES", 180, 950),
  merchant("DB VERTRIEB GMBH", "TRANSPORT", 890, 8200),
  merchant("HVV SWITCH", "TRANSPORT", 260, 990),
  merchant("ARAL STATION", "TRANSPORT", 3100, 8100),
  merchant("GASTHAUS ZUR LINDE", "EATING_OUT", 1400, 5600),
  merchant("DM DROGERIEMARKT", "HEALTH", 390, 3400),
  merchant("MEDIAMARKT", "SHOPPING", 999, 12_900),
  merchant("CINEMAXX", "ENTERTAINMENT", 950, 2900),
];

const french = [
  merchant("CARREFOUR CITY", "GROCERIES", 380, 5200),
  merchant("MONOPRIX", "GROCERIES", 490, 6100),
  merchant("BOULANGERIE DU PORT", "GROCERIES", 120, 890),
  merchant("SNCF CONNECT", "TRANSPORT", 1290, 9400),
  merchant("RATP", "TRANSPORT", 215, 890),
  merchant("TOTALENERGIES", "TRANSPORT", 2900, 7800),
  merchant("BRASSERIE DES QUAIS", "EATING_OUT", 1450, 5900),
  merchant("PHARMACIE CENTRALE", "HEALTH", 350, 3200),
  merchant("FNAC", "SHOPPING", 899, 11_900),
  merchant("PATHE CINEMA", "ENTERTAINMENT", 980, 2900),
];

const american = [
  merchant("TRADER JOE'S", "GROCERIES", 520, 7200),
  merchant("KROGER", "GROCERIES", 640, 8800),
  merchant("CHEVRON", "TRANSPORT", 2400, 5900),
  merchant("LYFT *RIDE", "TRANSPORT", 780, 3400),
  merchant("STARBUCKS STORE", "EATING_OUT", 390, 1350),
  merchant("CHIPOTLE", "EATING_OUT", 890, 2600),
  merchant("SQ *JOE'S DINER", "EATING_OUT", 1100, 4700),
  merchant("CVS/PHARMACY", "HEALTH", 420, 3800),
  merchant("TARGET", "SHOPPING", 899, 9900),
  merchant("AMC THEATRES", "ENTERTAINMENT", 1150, 3900),
];

const japanese = [
  merchant("セブン-イレブン", "GROCERIES", 160, 980),
  merchant("ライフ", "GROCERIES", 620, 3900),
  merchant("モバイルSUICA", "TRANSPORT", 530, 2650),
  merchant("JR東日本", "TRANSPORT", 790, 7400),
  merchant("スターバックス コーヒー", "EATING_OUT", 240, 760),
  merchant("吉野家", "EATING_OUT", 260, 790),
  merchant("居酒屋 かわせみ", "EATING_OUT", 1500, 4200),
  merchant("マツモトキヨシ", "HEALTH", 380, 2700),
  merchant("ヨドバシカメラ", "SHOPPING", 990, 14_900),
  merchant("TOHOシネマズ", "ENTERTAINMENT", 1000, 2000),
];

const byCountry: Readonly<Record<string, readonly SandboxMerchant[]>> = {
  DE: german,
  FR: french,
  US: american,
  JP: japanese,
};

/** The merchants of a country. Unknown countries get the British ones. */
export function merchantsOf(country: string): readonly SandboxMerchant[] {
  return [...(byCountry[country] ?? british), ...online];
}

/** The name of the merchant whose statements look like this; null for people, fees and the like. */
export function merchantNameIn(country: string, description: string): string | null {
  const merchantOfIt = merchantsOf(country).find(({ name }) => description.startsWith(name));
  return merchantOfIt?.name.replace(/\*$/, "") ?? null;
}
