import { domainToASCII, domainToUnicode } from "node:url";

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A name as DNS has it, below a top-level domain; no address. */
const NAME = new RegExp(`^(?=.{4,240}$)(?:${LABEL}\\.)+(?=[a-z0-9-]*[a-z])${LABEL}$`);
/** What has a meaning in URLs, which `domainToASCII` reads, and none in names. */
const NOT_A_NAME = /[\s\p{Cc}/\\:@?#[\]%]/u;

/** Where everybody gets an address: whoever proves such a domain is no company. */
const PUBLIC_MAIL = new Set(
  `gmail.com googlemail.com outlook.com outlook.de hotmail.com hotmail.de hotmail.co.uk live.com live.de msn.com yahoo.com yahoo.de yahoo.co.uk
  yahoo.fr ymail.com rocketmail.com aol.com aim.com icloud.com me.com mac.com gmx.de gmx.net gmx.com gmx.at gmx.ch web.de freenet.de t-online.de
  mail.com mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com rambler.ru proton.me protonmail.com protonmail.ch pm.me tutanota.com tuta.io tuta.com
  posteo.de mailbox.org zoho.com fastmail.com fastmail.fm hey.com hushmail.com orange.fr wanadoo.fr laposte.net free.fr sfr.fr libero.it virgilio.it
  tiscali.it alice.it bluewin.ch sunrise.ch comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net btinternet.com sky.com virginmedia.com
  ntlworld.com telenet.be skynet.be ziggo.nl kpnmail.nl planet.nl qq.com 163.com 126.com sina.com naver.com daum.net hanmail.net rediffmail.com
  wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz uol.com.br bol.com.br terra.com.br mailinator.com guerrillamail.com yopmail.com 10minutemail.com`
    .split(/\s+/)
    .filter(Boolean),
);

/** A domain as DNS has it: in lower case, with names of other scripts encoded ("münchen.example" is "xn--mnchen-3ya.example"). Undefined for what is none. */
export function domainName(typed: string): string | undefined {
  const text = typed.trim().replace(/\.$/, "");
  if (text === "" || text.length > 255 || NOT_A_NAME.test(text)) return undefined;
  const name = domainToASCII(text).toLowerCase();
  return NAME.test(name) ? name : undefined;
}

/** The domain of an address, as `domainName` has it; subdomains are domains of their own. */
export function domainOfAddress(address: string): string | undefined {
  const at = address.lastIndexOf("@");
  return at > 0 ? domainName(address.slice(at + 1)) : undefined;
}

export const isPublicMail = (domain: string): boolean => PUBLIC_MAIL.has(domain);

/** A domain as people read it. */
export const shownDomain = (domain: string): string => domainToUnicode(domain) || domain;
