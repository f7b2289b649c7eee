export type Row = Record<string, unknown>;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
/** Values as our pages show them. */
export const hand = {
  text: (value: unknown) => String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!),
  status: (value: unknown) => (value === "live" ? `fw-status fw-status-success">Live` : `fw-status">Draft`),
  instant: (value: unknown) => `${String(value).replace(" ", "T")}Z`,
  time(value: unknown): string {
    const at = String(value);
    return `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)}, ${at.slice(11, 16)}`;
  },
  whole: (value: unknown) => Number(value).toLocaleString("en"),
};

/** The values of a row in a page that was sent, each with the code that writes that of another row. */
export const placesOf = (row: Row): [text: string, code: string][] => [
  [hand.text(row.title), "by.text(row.title)"],
  ...(row.body === undefined ? [] : [[hand.text(row.body), "by.text(row.body)"] as [string, string]]),
  [`/authors/${row.author_id}"`, `"/authors/"+row.author_id+'"'`],
  [hand.text(row.author), "by.text(row.author)"],
  [`"${hand.status(row.status)}<`, `'"'+by.status(row.status)+"<"`],
  [hand.instant(row.created_at), "by.instant(row.created_at)"],
  [hand.time(row.created_at), "by.time(row.created_at)"],
  [`/posts/${row.id}`, `"/posts/"+row.id`],
];
