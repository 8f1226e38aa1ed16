/** Language and country of queries to a store (@inContext). */
import type { Lang } from "../shared/model";

/** Query context for a store. The store uses its own default for null. */
export interface StoreLocale {
  /** LanguageCode of the Storefront API. */
  readonly language: "JA" | "EN" | null;
  /** CountryCode of the Storefront API: ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

/** CountryCode of the Storefront API 2025-01, without ZZ, which means an unknown country. */
const COUNTRIES = new Set(
  (
    "AC AD AE AF AG AI AL AM AN AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM " +
    "CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GW GY HK " +
    "HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF " +
    "MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PS PT PY QA RE RO RS RU " +
    "RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA " +
    "VC VE VG VN VU WF WS XK YE YT ZA ZM ZW"
  ).split(" "),
);

/** Whether the API accepts the country code. An unknown code makes it reject the whole operation. */
export const isStoreCountry = (code: string): boolean => COUNTRIES.has(code);

/**
 * Returns the query context for a visitor.
 * @param country the visitor's country according to the edge: ISO 3166-1 alpha-2, or a code that is not a country; null if unknown
 */
export const storeLocale = (lang: Lang, country: string | null): StoreLocale => ({
  language: lang === "ja" ? "JA" : "EN",
  country: country !== null && isStoreCountry(country) ? country : null,
});
