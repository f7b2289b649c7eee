import { html, type SafeHtml } from "framewright/host";
import { type DisplayOptions, defineFieldType } from "framewright/plugins/fields";
import { sizeText } from "framewright/plugins/storage";
import { iconOrNothing } from "framewright/plugins/views";
import type { ShownFile } from "./contract.ts";

const icons: readonly (readonly [RegExp, string])[] = [
  [/^image\//, "photo"],
  [/^video\//, "movie"],
  [/^audio\//, "music"],
  [/^application\/pdf$/, "file-type-pdf"],
  [/zip|compressed|x-(?:7z|rar|tar|gzip)/, "file-zip"],
  [/spreadsheet|excel|^text\/csv$/, "table"],
  [/^text\/|word|opendocument\.text/, "file-text"],
];
export const fileIcon = (type: string): SafeHtml =>
  iconOrNothing(icons.find(([pattern]) => pattern.test(type))?.[1] ?? "file");

/** The thumbnail of a file, or the icon of its type until there is one. */
export function thumbnail(
  { thumbnails, alternative, type }: ShownFile,
  size: "large" | "small",
  text = alternative ?? "",
): SafeHtml {
  if (!thumbnails) return html`<span class="fw-file-icon fw-file-${size}">${fileIcon(type)}</span>`;
  const pixels = size === "large" ? 240 : 32;
  return html`<img class="fw-file-${size}" src="${thumbnails[size]}" alt="${text}" width="${pixels}" height="${pixels}" loading="lazy">`;
}

function card(file: ShownFile, { words }: DisplayOptions): SafeHtml {
  const { name, size, url, alternative } = file;
  const label = html`${thumbnail(file, "large")}<span class="fw-file-name">${name}</span>`;
  const linked = url === null ? label : html`<a href="${url}" data-turbo="false">${label}</a>`;
  const text = alternative !== null && html`<span class="fw-file-text">${alternative}</span>`;
  return html`<li class="fw-file">${linked}<small>${sizeText(size, words.locale)}</small>${text}</li>`;
}
const none = ({ words }: DisplayOptions): SafeHtml =>
  html`<span class="fw-none" aria-hidden="true">–</span><span class="visually-hidden">${words.notSet}</span>`;
const cards = (files: readonly ShownFile[], options: DisplayOptions): SafeHtml =>
  files.length === 0 ? none(options) : html`<ul class="fw-files">${files.map((file) => card(file, options))}</ul>`;

const MAX_IN_CELL = 4;
/** The small thumbnails of files, whose names screen readers read. */
function cell(files: readonly ShownFile[], options: DisplayOptions): SafeHtml {
  if (files.length === 0) return none(options);
  const shown = files.slice(0, MAX_IN_CELL).map((file) => {
    const named = !file.thumbnails && html`<span class="visually-hidden">${file.name}</span>`;
    return html`<span title="${file.name}">${thumbnail(file, "small", file.alternative ?? file.name)}${named}</span>`;
  });
  const more = files.length > MAX_IN_CELL && html`<small>+${files.length - MAX_IN_CELL}</small>`;
  return html`<span class="fw-file-row">${shown}${more}</span>`;
}

const shared = {
  frame: "group",
  input: null,
  read: () => ({ problem: "errors.not_writable" }),
  filter: false,
  scaffold: false,
  wide: true,
} as const;

/** The types of the files of a record. */
export const attachmentTypes = {
  attachment: defineFieldType<ShownFile>({
    ...shared,
    display: (file, options) => cards([file], options),
    cell: (file, options) => cell([file], options),
    text: ({ name }) => name,
    json: (file) => file,
  }),
  attachments: defineFieldType<readonly ShownFile[]>({
    ...shared,
    display: cards,
    cell,
    text: (files) => files.map(({ name }) => name).join(", "),
    json: (files) => files,
  }),
};
