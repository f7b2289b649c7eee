import { isListed } from "./common_list.ts";

/** The words of the most guessed passwords. Digits and symbols around them do not count, nor do letters written as digits. */
const words = new Set(
  `password passwort passw motdepasse contrasena senha parola wachtwoord secret geheim welcome willkommen bienvenue letmein login
  admin administrator root user guest test testing demo default changeme qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl
  zxcvbn zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc poiuytrewq iloveyou ilove loveyou love lovely sunshine princess prinzessin
  monkey dragon master shadow superman batman spiderman pokemon starwars trustno football fussball baseball basketball soccer
  hockey liverpool arsenal chelsea barcelona realmadrid juventus michael jennifer jordan jessica ashley daniel thomas robert
  charlie andrew matthew joshua hannah michelle nicole samantha anthony william alexander maria sophie angel angels babygirl
  babyboy freedom whatever nothing computer internet samsung iphone google facebook microsoft windows linux apple android
  summer winter spring autumn january february march april june july august september october november december monday friday
  hello hallo bonjour hola ciao cookie cheese chocolate banana orange pepper ginger buster tigger hunter ranger killer hacker
  matrix access abc abcd abcde abcdef abcdefg abcdefgh aaa aaaa xxx money dollar lucky flower butterfly purple yellow silver
  golden diamond phoenix mustang ferrari porsche mercedes harley yamaha guitar music metallica nirvana slipknot corvette jaguar
  maggie bailey daisy jasmine taylor austin dallas london paris berlin madrid newyork america deutschland france england`
    .split(/\s+/)
    .filter(Boolean),
);
const written: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
};
const rows = [
  "0123456789012345",
  "9876543210987654",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
];

const bare = (text: string) => text.replace(/^\P{L}+|\P{L}+$/gu, "");
const asLetters = (text: string) => text.replace(/[0134578@$!]/g, (sign) => written[sign]!);

/** Whether a password is too easy to guess. */
export function isCommon(password: string): boolean {
  const text = password.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, "");
  if (/^(.{1,4})\1+.{0,3}$/s.test(text) || rows.some((row) => row.includes(text))) return true;
  if (/^\P{L}{0,12}$/u.test(text)) return true;
  if (isListed(text)) return true;
  const cores = new Set([bare(text), asLetters(bare(text)), bare(asLetters(text))]);
  return [...cores].some((core) => words.has(core) || isTwice(core) || isListed(core));
}

/** Two common words in a row, as in iloveyoumonkey. */
function isTwice(core: string): boolean {
  for (let at = 3; at <= core.length - 3; at++)
    if (words.has(core.slice(0, at)) && words.has(core.slice(at))) return true;
  return false;
}
