import {
  html,
  isParamObject,
  isUploadedFile,
  type Locale,
  localeOf,
  type ParamValue,
  raw,
  type SafeHtml,
} from "framewright/host";
import { attributes } from "framewright/plugins/fields/toolkit";
import { sizeText } from "framewright/plugins/storage";
import { iconOrNothing } from "framewright/plugins/views";
import { acceptedText, type Translate } from "./accepted_text.ts";
import { shownFile } from "./access.ts";
import type { ShownFile } from "./contract.ts";
import { uploadsUrl } from "./direct_uploads.ts";
import type { FileField } from "./field_options.ts";
import { fileIcon, thumbnail } from "./field_types.ts";
import type { HandledInput, HandledView } from "./handled.ts";
import { copyOfFile, type KeptFile, keepFile, openKept, placeOf } from "./kept_files.ts";
import { refusedUploads } from "./refused_uploads.ts";
import { changeKey } from "./sent_files.ts";
import type { AttachmentService } from "./service.ts";

/** Draws the files of a record in its form: those that are there, those that came with a try before, and what adds more. */
export async function drawFiles(
  service: AttachmentService,
  field: FileField,
  input: HandledInput,
): Promise<HandledView> {
  const { controller, record, typed, inputName, id, errors } = input;
  const t: Translate = (key, vars) => controller.t(`attachments.form.${key}`, vars);
  const stored = record ? await service.of(record, field.name) : [];
  const given = typed?.get(field.name);
  const copied = input.pattern && !typed ? await service.of(input.pattern, field.name) : [];
  const kept = [
    ...copied
      .filter(({ state }) => state === "ready")
      .map((file) => copyOfFile(controller, file, placeOf(controller, field.name, undefined))),
    ...(await keptFiles(service, field, input, given)),
  ];
  const sent = isParamObject(given) && isParamObject(given.stored) ? given.stored : {};
  const url = record ? controller.urlFor(record) : "";
  const rows = stored.map((file, index) => {
    const typedOf = sent[changeKey(file.id)];
    const before = isParamObject(typedOf) ? typedOf : {};
    return storedRow({
      field,
      file: shownFile(url, file),
      index,
      count: stored.length,
      before,
      inputName,
      id,
      t,
      input,
    });
  });
  const keptRows = kept.map((file, index) => keptRow({ file, index, inputName, id, t, input }));
  const list = rows.length + keptRows.length > 0 && html`<ol class="fw-uploads" data-uploads>${rows}${keptRows}</ol>`;
  const wrong = (errors[field.name] ?? []).length > 0;
  const script = controller.request.kernel.service("assets").url("uploads.js");
  const many = field.isMany ? { "data-most": field.most, "data-many": t("many", { count: field.most }) } : {};
  const texts = { "data-sending": t("sending"), "data-large": t("large"), ...many };
  const direct = uploadsUrl(service, controller, field.name, record);
  const content = html`<div class="fw-upload" data-upload${raw(attributes({ ...texts, "data-direct": direct, "data-maximum": field.maximum }))}>${list}${chooser(field, { id, inputName, wrong, t, locale: localeOf(controller.request.locale) })}<script src="${script}" defer></script></div>`;
  return { content, multipart: true };
}

/** What chooses files: a plain input, around which others can be dropped. */
function chooser(
  { accept, isMany, maximum, most, required }: FileField,
  { id, inputName, wrong, t, locale }: { id: string; inputName: string; wrong: boolean; t: Translate; locale: Locale },
): SafeHtml {
  const limits = [
    accept && t("accepts", { types: acceptedText(accept, t) }),
    maximum !== undefined && t(isMany ? "maximum_each" : "maximum", { size: sizeText(maximum, locale) }),
    isMany && t("most", { count: most }),
  ].filter(Boolean);
  const own = attributes({
    id,
    name: `${inputName}[new][]`,
    class: `form-control${wrong ? " is-invalid" : ""}`,
    multiple: isMany,
    accept: accept?.join(","),
    "aria-label": isMany ? t("add") : t("choose"),
    "aria-invalid": wrong ? "true" : undefined,
    "aria-required": required ? "true" : undefined,
    "aria-describedby":
      [wrong && `${id}_errors`, limits.length > 0 && `${id}_limits`].filter(Boolean).join(" ") || undefined,
  });
  const hint = limits.length > 0 && html`<small class="form-hint" id="${id}_limits">${limits.join(" · ")}</small>`;
  return html`<div class="fw-upload-drop" data-drop><span class="fw-upload-invite" data-invite hidden>${isMany ? t("drop") : t("drop_one")}</span><input type="file"${raw(own)}><ul class="fw-upload-chosen" data-chosen-files aria-live="polite"></ul><progress class="fw-upload-progress" max="100" hidden></progress></div>${hint}`;
}

interface StoredRow {
  readonly field: FileField;
  readonly file: ShownFile;
  readonly index: number;
  readonly count: number;
  readonly before: Record<string, ParamValue>;
  readonly inputName: string;
  readonly id: string;
  readonly t: Translate;
  readonly input: HandledInput;
}

function storedRow({ field, file, index, count, before, inputName, id, t, input }: StoredRow): SafeHtml {
  const key = changeKey(file.id);
  const name = (part: string) => `${inputName}[stored][${key}][${part}]`;
  const own = `${id}_${key}`;
  const place = typeof before.position === "string" ? before.position : String(index + 1);
  const text = typeof before.alternative === "string" ? before.alternative : (file.alternative ?? "");
  const isMoved = field.isMany && count > 1;
  const order =
    isMoved &&
    html`<label class="fw-upload-place"><span>${t("position")}</span><input type="number" class="form-control" name="${name("position")}" value="${place}" min="1" max="${count}" data-position></label><span class="fw-upload-move" data-move hidden><button type="button" class="btn btn-icon" data-up aria-label="${t("up", { name: file.name })}">${iconOrNothing("arrow-up")}</button><button type="button" class="btn btn-icon" data-down aria-label="${t("down", { name: file.name })}">${iconOrNothing("arrow-down")}</button></span>`;
  const alternative =
    file.type.startsWith("image/") &&
    html`<label class="fw-upload-text" for="${own}_text"><span>${t("alternative")}</span><input type="text" class="form-control" id="${own}_text" name="${name("alternative")}" value="${text}" maxlength="500"></label>`;
  const remove = html`<label class="form-check"><input type="checkbox" class="form-check-input" name="${name("remove")}" value="1"${raw(before.remove === "1" ? " checked" : "")}><span class="form-check-label">${t("remove", { name: file.name })}</span></label>`;
  return html`<li class="fw-upload-file"${raw(isMoved ? ' data-movable draggable="true"' : "")}>${thumbnail(file, "small")}${named(file.name, file.size, input)}${alternative}${order}${remove}</li>`;
}

type KeptRow = Pick<StoredRow, "index" | "inputName" | "id" | "t" | "input"> & { readonly file: KeptFile };
function keptRow({ file, index, inputName, id, t, input }: KeptRow): SafeHtml {
  const name = (part: string) => `${inputName}[kept][k${index}][${part}]`;
  const remove = html`<label class="form-check"><input type="checkbox" class="form-check-input" id="${id}_k${index}" name="${name("remove")}" value="1"><span class="form-check-label">${t("remove", { name: file.filename })}</span></label>`;
  return html`<li class="fw-upload-file"><input type="hidden" name="${name("file")}" value="${file.sealed}"><span class="fw-file-icon fw-file-small">${fileIcon("")}</span>${named(file.filename, file.size, input)}${remove}</li>`;
}

const named = (name: string, size: number, { controller }: HandledInput): SafeHtml =>
  html`<span class="fw-upload-name">${name} <small>${sizeText(size, localeOf(controller.request.locale))}</small></span>`;

/** The files of a form that is shown again: those of earlier tries, and those that came with this one, unless they were refused. */
async function keptFiles(
  { storage }: AttachmentService,
  { name, isMany }: FileField,
  { controller, record }: HandledInput,
  given: ParamValue | undefined,
): Promise<KeptFile[]> {
  if (!controller.currentUser || given === undefined) return []; // guests would fill the storage
  const place = placeOf(controller, name, record);
  const form = isParamObject(given) ? given : { new: given };
  const earlier = Object.values(isParamObject(form.kept) ? form.kept : {}).filter(isParamObject);
  const kept: KeptFile[] = [];
  for (const { file, remove } of earlier) {
    const opened = typeof file === "string" && remove !== "1" ? openKept(controller, file, place) : undefined;
    if (opened && (await storage.exists(opened.key))) kept.push(opened);
  }
  const fresh = [form.new ?? []].flat().filter(isUploadedFile);
  for (const file of fresh.filter((one) => !refusedUploads.has(one))) {
    if (!isMany) kept.length = 0;
    kept.push(await keepFile(controller, storage, file, place));
  }
  return kept;
}
