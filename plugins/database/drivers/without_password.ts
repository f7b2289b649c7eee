/** An address of a database as an error may quote it. */
export const withoutPassword = (url: string): string => url.replace(/\/\/[^@/]*@/, "//…@");
