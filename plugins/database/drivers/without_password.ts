/** An address of a database as an error may quote it: a password may have an "@" or a "/" that was not encoded. */
export const withoutPassword = (url: string): string => url.replace(/\/\/.*@/s, "//…@");
