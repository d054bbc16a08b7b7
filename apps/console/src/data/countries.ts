const letters = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z".split(" ");
/** Codes that name no country: groups of countries, and those for testing and for the unknown. */
const groups = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);

/** All countries as options of a field, by their names in the person's language. The browser knows them. */
export function countries(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => {
      // An old code, such as "BU", has the name of the country that it means today.
      const [current] = Intl.getCanonicalLocales(`und-${code}`);
      const name = groups.has(code) || current !== `und-${code}` ? undefined : names.of(code);
      return name === undefined ? [] : [{ value: code, label: name }];
    })
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
