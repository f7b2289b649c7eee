import type { ModelInfo } from "../models/model_info.ts";
import { problem } from "./messages.ts";
import type { Problem } from "./validation_error.ts";

const ASCII = /^[\x20-\x7e]*$/;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
/** What is part of an emoji, or joins letters of a script that needs it: Arabic, Indic and others. */
const JOINED =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Emoji_Component}])[\u200d\ufe0e\ufe0f]|(?<=(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}])[\p{L}\p{M}])[\u200c\u200d]/gu;

/**
 * Why a text can't be distinguished from others on every database: some compare `Ａ` and `A`, or a text with an invisible character and
 * one without, as the same value, and some do not.
 */
function ambiguousProblem(text: string): Problem | undefined {
  if (ASCII.test(text)) return undefined;
  const [invisible] = INVISIBLE.exec(text.replace(JOINED, "")) ?? [];
  if (invisible !== undefined) return problem("invisible_character", { character: codeOf(invisible) });
  const normal = text.normalize("NFC");
  if (normal === text.normalize("NFKC")) return undefined;
  const character = [...normal].find((one) => one.normalize("NFKC") !== one) ?? normal;
  return problem("compatibility_character", { character, plain: character.normalize("NFKC") });
}

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

/** The same, for a column whose values are unique, by its index or by a rule. */
export function uniqueTextProblem(info: ModelInfo, name: string, value: unknown): Problem | undefined {
  if (typeof value !== "string" || info.encrypted.has(name)) return undefined;
  const isUnique = info.columns.get(name)?.unique === true || info.class.validations[name]?.uniqueness !== undefined;
  return isUnique ? ambiguousProblem(value) : undefined;
}
