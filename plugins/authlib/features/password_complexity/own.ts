/** Letters that must be left of a password when everything is taken out of it that anybody knows of its owner. */
const LETTERS = 5;
const SHORTEST = 4;

const bare = (text: string) => text.replace(/^\d+|\d+$/g, "");

/** The parts of a login and of the application's name that are long enough to be found in a password, the longest first. */
function partsOf(login: string, application: string): string[] {
  const texts = [login, application].map((text) => text.toLowerCase());
  const name = login.split("@", 1)[0]!.toLowerCase();
  const words = [...texts, name].flatMap((text) => [text, bare(text), text.replaceAll(/[^\p{L}\p{N}]+/gu, "")]);
  const parts = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)).map(bare);
  return [...new Set([...words, ...parts])]
    .filter((part) => part.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
}

/**
 * Whether a password holds the name of its owner's address, or is made of little but the parts of that address and the
 * application's name: digits and signs beside them count as nothing.
 */
export function isOwn(password: string, login: string, application: string): boolean {
  const text = password.normalize("NFKC").toLowerCase();
  const name = login.split("@", 1)[0]!.toLowerCase();
  if (name.length >= SHORTEST && text.includes(name)) return true;
  const rest = partsOf(login, application).reduce((left, part) => left.replaceAll(part, " "), text);
  return rest !== text && rest.replaceAll(/[^\p{L}]/gu, "").length < LETTERS;
}
