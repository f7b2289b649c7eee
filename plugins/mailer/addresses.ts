import { errors } from "./errors.ts";

export interface Address {
  name: string;
  address: string;
}

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN =
  /^(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Accepts a single plain address, nothing that could become a second recipient or a header. @throws FW_MAIL_ADDRESS naming `what` */
export function plainAddress(text: string, what: string): string {
  const at = typeof text === "string" && text.length <= 254 ? text.lastIndexOf("@") : -1;
  const isPlain = at > 0 && at <= 64 && LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
  if (!isPlain) throw errors.FW_MAIL_ADDRESS(what);
  return text;
}

/** `no-reply@shop.example` or `The Shop <no-reply@shop.example>`. @throws FW_MAIL_ADDRESS */
export function namedAddress(text: string, what: string): Address {
  if (text.search(CONTROL) >= 0) throw errors.FW_MAIL_ADDRESS(what);
  const [, name, address] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? ["", "", text];
  return { name: name!.trim().replace(/^"(.*)"$/, "$1"), address: plainAddress(address!, what) };
}

/** An address as text, which `namedAddress` reads; what a name can't contain is left out. */
export const written = ({ name, address }: Address): string => {
  const plain = oneLine(name).replace(/[<>"]/g, "").trim();
  return plain === "" ? address : `${plain} <${address}>`;
};

/** A header value on one line, so that user input can't start another header. */
export const oneLine = (text: string): string => text.replace(CONTROL, " ").trim().slice(0, 250);
