import { attachment as asAttachment, isKnownTag, notFound, Reply, type ReplyStream } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { type ByteRange, servedType } from "framewright/plugins/storage";
import { mayRead, shownFile } from "./access.ts";
import { rangeOf } from "./byte_range.ts";
import type { Attachment } from "./contract.ts";
import { fieldsOf } from "./definition_macros.ts";
import type { AttachmentService } from "./service.ts";

/** `GET <record>/files/:file_field`: the file of a name, or as JSON what there is of several. @throws HttpError 403, 404 */
export async function showAttachments(controller: ResourceController): Promise<Reply> {
  const { files, isMany, url } = await readable(controller);
  if (controller.request.format === "json") return controller.json({ data: files.map((file) => shownFile(url, file)) });
  const [file] = files;
  if (!file || isMany) throw notFound();
  return answerFile(controller, file);
}

/** `GET <record>/files/:file_field/:file_number`. @throws HttpError 403, 404 */
export async function showAttachment(controller: ResourceController): Promise<Reply> {
  return answerFile(controller, await requested(controller));
}

/** `GET <record>/files/:file_field/:file_number/:file_size`: a thumbnail. @throws HttpError 403, 404 */
export async function showThumbnail(controller: ResourceController): Promise<Reply> {
  const { file_size: size } = controller.request.routeParams;
  const file = await requested(controller);
  const key = size === "large" ? file.large_key : size === "small" ? file.small_key : null;
  if (file.state !== "ready" || file.thumbnails !== "ready" || key === null) throw notFound();
  const service = serviceOf(controller);
  const etag = `"${file.digest}-${size}"`;
  if (isKnownTag(controller.request.header("if-none-match"), etag))
    return controller.answer(new Reply(304, "", { etag, "cache-control": CACHE }));
  if (!(await service.storage.exists(key))) throw notFound();
  const reply = new Reply(200, await service.storage.bytes(key), {
    ...safeHeaders,
    etag,
    "content-type": "image/webp",
  });
  return controller.answer(reply);
}

const serviceOf = ({ request }: ResourceController) => request.kernel.service("attachments") as AttachmentService;

/** The files of the record and the name that the route has, for people who may read them. @throws HttpError 403, 404 */
async function readable(controller: ResourceController) {
  const { file_field: name = "" } = controller.request.routeParams;
  const field = fieldsOf(controller.registration.definition).get(name);
  if (!field) throw notFound();
  controller.record = await controller.findRecord();
  await controller.authorizeAction("show", controller.record);
  if (!mayRead(controller, name, controller.record)) throw notFound();
  const files = await serviceOf(controller).of(controller.record, name);
  return { files, isMany: field.isMany, url: controller.urlFor(controller.record) };
}

async function requested(controller: ResourceController): Promise<Attachment> {
  const { file_number: id = "" } = controller.request.routeParams;
  const { files } = await readable(controller);
  const file = files.find((one) => String(one.id) === id);
  if (!file) throw notFound();
  return file;
}

/** Cached by the person's browser alone, which checks each time whether it is still theirs; never compressed, so that parts fit. */
const CACHE = "private, no-cache, no-transform";
const safeHeaders = {
  "cache-control": CACHE,
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
};

/** A file, or the part of it that is requested, as it is read from the storage. @throws HttpError 404 */
async function answerFile(controller: ResourceController, file: Attachment): Promise<Reply> {
  const { request } = controller;
  const { storage } = serviceOf(controller);
  if (file.state !== "ready") throw notFound();
  const etag = `"${file.digest}"`;
  if (isKnownTag(request.header("if-none-match"), etag))
    return controller.answer(new Reply(304, "", { etag, "cache-control": CACHE }));
  if (!(await storage.exists(file.storage_key))) throw notFound();
  const disposition = asAttachment(file.name);
  const headers = {
    ...safeHeaders,
    etag,
    "accept-ranges": "bytes",
    "content-type": servedType(file.type),
    "content-disposition": file.in_place ? disposition.replace(/^attachment/, "inline") : disposition,
  };
  const range = request.method === "HEAD" ? undefined : rangeOf(request.raw.headers, etag, file.size);
  if (range === "none")
    return controller.answer(new Reply(416, "", { ...safeHeaders, "content-range": `bytes */${file.size}` }));
  const part: Record<string, string> = range
    ? { "content-range": `bytes ${range.first}-${range.last}/${file.size}` }
    : {};
  const length = range ? range.last - range.first + 1 : file.size;
  const reply = new Reply(range ? 206 : 200, "", { ...headers, ...part, "content-length": String(length) });
  reply.stream = chunksOf(controller, file, range);
  return controller.answer(reply);
}

/** Opened with the first chunk: a client that has disconnected by then leaves nothing open. */
async function* chunksOf(controller: ResourceController, file: Attachment, range: ByteRange | undefined): ReplyStream {
  yield* await serviceOf(controller).storage.stream(file.storage_key, range);
}
