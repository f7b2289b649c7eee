import { demodulize, singularize, underscore } from "framewright/host";

/** Icons of @tabler/icons by what records are called; the names of an icon, in one line. */
const ICONS: Readonly<Record<string, string>> = {
  user: "user account admin administrator person profile author",
  users: "member membership team group contact employee staff crew audience",
  building: "organization organisation company tenant department office branch vendor supplier",
  "building-store": "shop store",
  "shopping-cart": "order cart basket purchase checkout",
  package: "product item article parcel package good asset stock",
  truck: "shipment delivery shipping carrier vehicle",
  "file-invoice": "invoice bill quote offer estimate",
  "credit-card": "payment card transaction refund payout subscription charge",
  coin: "price fee budget expense currency tax discount coupon",
  "file-text": "document page text note contract report draft",
  news: "post blog story newsletter announcement",
  file: "file attachment upload",
  photo: "photo image picture gallery media",
  "message-2": "comment message reply review feedback conversation chat",
  mail: "mail email invitation invite",
  bell: "notification alert reminder",
  tag: "tag category label topic genre kind type",
  folder: "folder collection album project portfolio",
  checklist: "task todo checklist step",
  "calendar-event": "event appointment booking reservation meeting shift holiday",
  clock: "session timesheet schedule",
  ticket: "ticket issue request incident complaint",
  "map-pin": "place location address venue site warehouse room",
  world: "country region language domain website",
  link: "link url webhook",
  key: "key token credential client license licence",
  lock: "role permission right",
  settings: "setting preference configuration option",
  history: "log activity audit version change entry",
  "chart-bar": "statistic metric figure measurement",
  star: "rating favorite favourite vote",
  flag: "milestone goal campaign",
  school: "course lesson student school class exam",
  book: "book chapter publication",
  phone: "call phone",
  "device-laptop": "device machine sensor",
};
const iconsByName = new Map(
  Object.entries(ICONS).flatMap(([icon, names]) => names.split(" ").map((name) => [name, icon])),
);

/**
 * The icon of a resource that declares none, by the last word of its name: `LineItem` has that of items.
 * @example conventionalIcon("Blogging::Post") // "news"
 */
export function conventionalIcon(constant: string): string {
  const last = underscore(demodulize(constant)).replace(/.*_/, "");
  return iconsByName.get(singularize(last)) ?? "list";
}
