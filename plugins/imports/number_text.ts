const WITH_EXPONENT = /^([+-]?)(\d{0,65})(?:\.(\d{0,65}))?e([+-]?\d{1,2})$/i;

/** `1.5e-7` as `0.00000015`, with all its digits; another text as it is. */
export function writtenOut(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = WITH_EXPONENT.exec(text) ?? [];
  const digits = whole + fraction;
  if (digits === "") return text;
  const point = whole.length + Number(exponent);
  const before = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const after = point > 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  const end = after.replace(/0+$/, "");
  return `${sign === "-" ? sign : ""}${before.replace(/^0+(?=\d)/, "")}${end === "" ? "" : `.${end}`}`;
}
