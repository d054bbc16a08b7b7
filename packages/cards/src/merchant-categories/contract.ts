import { explained, explainedValues, merchantGroups, pageAfterProviderId, text } from "@purser/core";
import { z } from "zod";

const code = explained("The merchant category code (MCC) of ISO 18245: four digits.", "5812");

const codeInRange = (which: string, example: string) =>
  z.string().meta(explained(`The ${which} code that belongs to the category too.`, example));

export const MerchantCategory = z
  .object({
    code: z.string().meta(code),
    name: z
      .string()
      .meta(
        explained(
          "The name that card issuers have for the category. Policies take it, like the code.",
          "eating_places_restaurants",
        ),
      ),
    label: z
      .string()
      .meta(
        explained("The name as people write it, for a list to choose from.", "Eating places, restaurants"),
      ),
    group: z.enum(merchantGroups).meta(
      explainedValues(merchantGroups, "The kind of business, by ranges of codes.", {
        agriculture: "codes from 0001: farming, veterinary services.",
        contracted_services: "codes from 1500: construction, printing.",
        transport: "codes from 4000, and airlines and car rentals with codes of their own.",
        utilities: "codes from 4800: telecommunication, money transfer, energy.",
        retail: "codes from 5000: wholesale, groceries, vehicles, fuel.",
        clothing: "codes from 5600.",
        stores: "codes from 5700: restaurants, and all other stores.",
        financial_services: "codes from 6000: cash, insurance, rent.",
        personal_services: "codes from 7000: lodging, laundries, hairdressers.",
        business_services: "codes from 7300: advertising, software, car rental.",
        repairs: "codes from 7530: of vehicles and things.",
        entertainment: "codes from 7800: cinemas, sports, gambling.",
        professional_services: "codes from 8000: doctors, schools, lawyers, associations.",
        government: "codes from 9000: taxes, fines, post.",
      }),
    ),
    includes: z
      .object({ from: codeInRange("first", "3000"), to: codeInRange("last", "3350") })
      .nullable()
      .meta(
        explained(
          "The codes of single airlines, car rentals and hotels, which the name of their kind includes in a policy; its code does not. Null for all other categories.",
        ),
      ),
  })
  .meta({ id: "MerchantCategory", description: "A category of merchants that card policies can name." });

export const ListMerchantCategories = z.strictObject(pageAfterProviderId(text(4), "5812"));
