/** How many letters must remain after removing the parts of the address and the application's name. */
const MIN_LETTERS = 5;
const MIN_PART_CHARS = 4;

const trimDigits = (text: string) => text.replace(/^\d+|\d+$/g, "");

/** The parts of a login and of the application's name with enough characters, longest first. */
function partsOf(login: string, application: string): string[] {
  const texts = [login, application].map((text) => text.toLowerCase());
  const name = login.split("@", 1)[0]!.toLowerCase();
  const words = [...texts, name].flatMap((text) => [text, trimDigits(text), text.replaceAll(/[^\p{L}\p{N}]+/gu, "")]);
  const parts = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)).map(trimDigits);
  return [...new Set([...words, ...parts])]
    .filter((part) => part.length >= MIN_PART_CHARS)
    .sort((a, b) => b.length - a.length);
}

/**
 * Whether a password contains the local part of its owner's address, or consists of little else than parts of the address
 * and the application's name. Digits and symbols do not count.
 */
export function isPersonal(password: string, login: string, application: string): boolean {
  const text = password.normalize("NFKC").toLowerCase();
  const name = login.split("@", 1)[0]!.toLowerCase();
  if (name.length >= MIN_PART_CHARS && text.includes(name)) return true;
  const rest = partsOf(login, application).reduce((left, part) => left.replaceAll(part, " "), text);
  return rest !== text && rest.replaceAll(/[^\p{L}]/gu, "").length < MIN_LETTERS;
}
