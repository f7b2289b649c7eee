import type { Finding } from "framewright/host";
import type { Texts } from "./contract.ts";

/** Keys that a finding names. */
const NAMED = 5;

/** What people of each language that is offered would read in another one. */
export function examineTexts(texts: Texts): Finding[] {
  const others = (texts.locales ?? []).filter((locale) => locale !== texts.locale);
  return others.map((locale) => {
    const what = `texts of "${locale}"`;
    const keys = Object.keys(texts.missing?.(locale) ?? {});
    if (keys.length === 0) return { what, ok: true, detail: "each text is there" };
    const named = `${keys.slice(0, NAMED).join(", ")}${keys.length > NAMED ? ", …" : ""}`;
    return {
      what,
      ok: false,
      detail: `${keys.length} are missing, and shown in another language: ${named}. fw texts ${locale} prints them all, to be translated`,
    };
  });
}
