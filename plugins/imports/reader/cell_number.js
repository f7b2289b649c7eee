const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** A number as it is written out already. */
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;
const WHOLE = /^-?\d+$/;
/** Digits that spreadsheets keep of a number; what they store has more, by binary fractions. */
const DIGITS = 15;
const DAY_MS = 86_400_000;
const LAST_SERIAL = 2_958_466; // 31 December 9999
const LEAP_SERIAL = 60; // 29 February 1900, which never was

/** A figure with all its digits; undefined for what is none. */
export function figureText(stored) {
  if (stored.length <= DIGITS && PLAIN.test(stored)) return stored;
  const text = stored.trim();
  if (!NUMBER.test(text)) return undefined;
  if (WHOLE.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) ? plainDigits(value.toPrecision(DIGITS)) : undefined;
}

/** `1.50000000000000e-7` as 0.00000015. */
function plainDigits(text) {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text);
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const before = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const after = (point > 0 ? digits.slice(point) : "0".repeat(-point) + digits).replace(/0+$/, "");
  const plain = `${before.replace(/^0+(?=\d)/, "")}${after === "" ? "" : `.${after}`}`;
  return plain === "0" ? plain : sign + plain;
}

/**
 * The number of a cell as people see it by the kind of its format: `2026-03-04`, `2026-03-04 14:30:00`, `14:30:00`; a duration as `36:00:00`. `problem`
 * where it is no such day.
 */
export function readNumber(stored, kind, is1904) {
  const text = figureText(stored);
  if (text === undefined) return { problem: "type" };
  if (kind === undefined) return { text };
  const serial = Number(stored);
  if (kind === "duration") return { text: durationText(serial * 86_400) };
  if (kind === "time" && serial >= 0 && serial < 1) return { text: clockText(Math.round(serial * DAY_MS)) };
  return dayText(serial, is1904) ?? { problem: "type" };
}

function dayText(serial, is1904) {
  const days = Math.floor(serial);
  if (serial < (is1904 ? 0 : 1) || serial >= LAST_SERIAL - (is1904 ? 1462 : 0)) return undefined;
  if (!is1904 && days === LEAP_SERIAL) return undefined;
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < LEAP_SERIAL ? 31 : 30);
  const shown = new Date(first + Math.round(serial * DAY_MS)).toISOString();
  const time = shown.slice(11, -1).replace(/\.000$/, "");
  return { text: time === "00:00:00" ? shown.slice(0, 10) : `${shown.slice(0, 10)} ${time}` };
}

const clockText = (ms) =>
  new Date(ms)
    .toISOString()
    .slice(11, -1)
    .replace(/\.000$/, "");

/** `36:00:00`, also of more than a day. */
export function durationText(value) {
  const seconds = Math.round(Math.abs(value));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${value < 0 ? "-" : ""}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

/** The day of times that have none. */
const NO_DAYS = ["1899-12-30", "1899-12-31", "1904-01-01"];
const ISO = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?)?Z?$/;

/** A day or a moment that is stored as ISO 8601; of a time that is shown without its day, the time. */
export function readIsoDay(stored, kind) {
  const [, day, time, fraction = ""] = ISO.exec(stored.trim()) ?? [];
  if (day === undefined) return { problem: "type" };
  const parts = Number(fraction) > 0 ? `.${fraction.padEnd(3, "0")}` : "";
  if (kind === "time" && time !== undefined && NO_DAYS.includes(day)) return { text: time + parts };
  return { text: time === undefined || time + parts === "00:00:00" ? day : `${day} ${time}${parts}` };
}
