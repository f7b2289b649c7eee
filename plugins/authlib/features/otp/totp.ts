import { raw, type SafeHtml } from "framewright/host";
import { Secret, TOTP } from "otpauth";
import qrcode from "qrcode-generator";

const PERIOD_SECONDS = 30;

export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The counter that a code belongs to, within one step to either side; undefined when it is wrong. */
export function counterOf(secret: string, typed: string, now = Date.now()): number | undefined {
  const token = typed.replaceAll(/[\s-]/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_SECONDS }).validate({
    token,
    window: 1,
    timestamp: now,
  });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

export const keyUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS }).toString();

/** A QR code as an SVG of one path, black on white in every theme, as cameras need it. */
export function qrCode(text: string): SafeHtml {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      if (code.isDark(row, column)) path += `M${column + 2} ${row + 2}h1v1h-1z`;
  const box = `0 0 ${size + 4} ${size + 4}`;
  return raw(
    `<svg class="fw-authlib-qr" viewBox="${box}" width="200" height="200" shape-rendering="crispEdges" aria-hidden="true"><path fill="#fff" d="M0 0h${size + 4}v${size + 4}H0z"/><path fill="#000" d="${path}"/></svg>`,
  );
}
