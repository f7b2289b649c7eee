import { html, raw, type SafeHtml } from "framewright/host";
import {
  type Choice,
  type Display,
  defineFieldType,
  type FieldView,
  type FilterView,
  inputs,
  type Translate,
} from "framewright/plugins/fields";
import { currencies } from "./currencies.ts";

/** The countries of ISO 3166-1. */
const countries: readonly string[] = [
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI",
  "BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN",
  "CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK",
  "FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM",
  "HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN",
  "KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK",
  "ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP",
  "NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW",
  "SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF",
  "TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI",
  "VN VU WF WS YE YT ZA ZM ZW",
].flatMap((line) => line.split(" "));
/** The languages of ISO 639-1. */
const languages: readonly string[] = [
  "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch",
  "co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy",
  "ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it",
  "iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo",
  "lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn nr nv ny oc",
  "oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm",
  "sn so sq sr ss st su sv sw ta te tg th ti tk tn to tr ts tt ty ug uk ur",
  "uz ve vi vo wa wo xh yi yo za zh zu",
].flatMap((line) => line.split(" "));

const codesOf = { region: countries, language: languages, currency: currencies } as const;
type Kind = "region" | "language" | "currency";
/** Module-level: a pure function, cached: the names of few codes in few languages. */
const names = new Map<string, ReadonlyMap<string, string>>();

/** What the codes are called in a language, in its order. */
function namesIn(locale: string, kind: Kind): ReadonlyMap<string, string> {
  const key = `${kind} ${locale}`;
  let found = names.get(key);
  if (!found) {
    const known = new Intl.DisplayNames([locale, "en"], { type: kind });
    const { compare } = new Intl.Collator([locale, "en"]);
    const codes = codesOf[kind];
    const pairs = codes.map((code) => [code, known.of(code) ?? code] as const);
    found = new Map(pairs.sort(([, a], [, b]) => compare(a, b)));
    names.set(key, found);
  }
  return found;
}

const choicesIn = (locale: string, kind: Kind, chosen: unknown): Choice[] =>
  [...namesIn(locale, kind)].map(([value, label]) => ({ value, label, selected: value === chosen }));
/** The language of a page, as its catalogue states. */
const localeOf = (t: Translate): string => t("extra_fields.locale");
/** What a list is filtered by. */
export const placeChoices = (of: "country" | "currency", t: Translate): Choice[] =>
  choicesIn(localeOf(t), of === "country" ? "region" : of, undefined);

const inputOf = (kind: Kind) => {
  return (view: FieldView, t: Translate): SafeHtml =>
    inputs.association!({ ...view, choices: choicesIn(localeOf(t), kind, view.value) }, t);
};
const displayOf =
  (kind: Kind): Display =>
  (value, { words }) =>
    html`${namesIn(words.locale.name, kind).get(String(value)) ?? String(value)}`;
const filterOf = (kind: Kind) => ({
  input({ name, label, value }: FilterView, t: Translate) {
    const options = choicesIn(localeOf(t), kind, value).map(
      (one) =>
        html`<option value="${one.value}"${raw(one.selected ? " selected" : "")}>${label}: ${one.label}</option>`,
    );
    return html`<div class="fw-filter"><select class="form-select${raw(value ? " fw-filter-on" : "")}" name="${name}" aria-label="${label}"><option value="">${label}: ${t("framework.any")}</option>${options}</select></div>`;
  },
});

const ofCodes = (kind: Kind, spelled: (text: string) => string) => ({
  column: { type: "string", size: [kind === "region" ? 2 : kind === "currency" ? 3 : 8] } as const,
  coerce(text: string) {
    const code = spelled(text.trim());
    return codesOf[kind].includes(code) ? { value: code } : { problem: "errors.not_a_choice" };
  },
  input: inputOf(kind),
  display: displayOf(kind),
  filter: filterOf(kind),
  isCached: true,
});

/** Countries, languages and currencies, stored by their codes and shown as the person's language calls them. */
export const placeTypes = {
  country: defineFieldType<string>({ ...ofCodes("region", (text) => text.toUpperCase()), sample: () => "DE" }),
  language: defineFieldType<string>({ ...ofCodes("language", (text) => text.toLowerCase()), sample: () => "de" }),
  currency: defineFieldType<string>({ ...ofCodes("currency", (text) => text.toUpperCase()), sample: () => "EUR" }),
};
