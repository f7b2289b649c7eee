/** The name in a Host header, in lower case and without a port. */
export const hostNameOf = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();
