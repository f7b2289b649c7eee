import type { RequestContext } from "./request.ts";

const LOOPBACK_ADDRESS = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/;
const LOOPBACK_NAME = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[\w-]+\.)*localhost)$/;

/**
 * Whether a request comes from this machine, and not through a proxy on it, and to a name of this machine: a page of
 * another site whose name leads here (DNS rebinding) is not local.
 */
export function isLocal(request: RequestContext): boolean {
  const forwarded = request.header("x-forwarded-for") ?? request.header("forwarded") ?? request.header("x-real-ip");
  const isFromHere = LOOPBACK_ADDRESS.test(request.raw.socket.remoteAddress ?? "");
  return forwarded === undefined && isFromHere && LOOPBACK_NAME.test(request.hostname);
}
