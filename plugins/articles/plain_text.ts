import type { SafeHtml } from "framewright/host";

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** What people read of some HTML, on one line. */
export const plainText = ({ html }: SafeHtml): string =>
  html
    .replaceAll(/<(style|script)\b[\s\S]*?<\/\1>/g, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name]!)
    .replaceAll(/\s+/g, " ")
    .trim();

/** How a text begins, by whole words. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(" "), most / 2));
  return `${words.replace(/[\s\p{P}]+$/u, "").replace(/[\uD800-\uDBFF]$/, "")}…`;
}
