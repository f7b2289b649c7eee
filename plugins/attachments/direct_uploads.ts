import { cleanFilename, notFound, type ParamValue, type Reply, unprocessable } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { isAccepted, sizeText } from "framewright/plugins/storage";
import { acceptedText } from "./accepted_text.ts";
import { fieldsOf } from "./definition_macros.ts";
import type { FileField } from "./field_options.ts";
import { placeOf, sealUpload } from "./kept_files.ts";
import type { AttachmentService } from "./service.ts";

/** How long a browser has until it begins to send a file. */
const FORM_SECONDS = 600;
/** What S3 takes in one request. */
const MAX_BYTES = 5_000_000_000;

/** Where the form of a record, or of a new one, has its uploads signed; undefined where files are sent with the form. */
export function uploadsUrl(
  { storage }: Pick<AttachmentService, "storage">,
  controller: ResourceRequest,
  name: string,
  record: BaseModel | undefined,
): string | undefined {
  if (!storage.direct || !controller.currentUser) return undefined; // guests would fill the storage
  const [path, query] = (record ? controller.urlFor(record) : controller.listUrl).split("?", 2) as [string, string?];
  const own = `${path}/${record ? "edit" : "new"}/uploads/${name}`;
  return query === undefined ? own : `${own}?${query}`;
}

/** `POST <list>/new/uploads/:file_field`. @throws HttpError 403, 404, 422 */
export async function signNewUpload(controller: ResourceRequest): Promise<Reply> {
  await controller.authorizeAction("create");
  return signUpload(controller, undefined);
}

/** Answers a form for the file that a browser is about to send, and what represents it in the form of the record. */
export async function signUpload(controller: ResourceRequest, record: BaseModel | undefined): Promise<Reply> {
  const { request, params, registration } = controller;
  const { file_field: name = "" } = request.routeParams;
  const { storage, perRecord } = request.kernel.service("attachments") as AttachmentService;
  const field = fieldsOf(registration.definition).get(name);
  const isPermitted = controller.listOf(record ? "Update" : "Create", record).includes(name);
  if (!field || !isPermitted || !storage.direct || !controller.currentUser) throw notFound();
  const filename = cleanFilename(textOf(params.get("name")));
  const size = Number(textOf(params.get("size")));
  const problem = problemOf(field, perRecord, { filename, size, mimeType: textOf(params.get("type")) });
  if (problem) {
    const types = acceptedText(field.accept ?? [], (key, vars) => controller.t(`attachments.form.${key}`, vars));
    const text = controller.t(problem.key, { types, ...problem.vars });
    throw unprocessable(text, { [name]: [text] });
  }
  const { key, url, fields } = await storage.direct.form({ size, expiresIn: FORM_SECONDS });
  const file = sealUpload(controller, { key, filename, size }, placeOf(controller, name, record));
  return controller.json({ data: { url, fields, file } });
}

const textOf = (given: ParamValue | undefined): string => (typeof given === "string" ? given : "");

interface Claimed {
  readonly filename: string;
  readonly mimeType: string;
  readonly size: number;
}
/** What is wrong with a file by what its browser reports; its bytes are looked at when the form is sent. */
function problemOf({ accept, maximum }: FileField, perRecord: number, { size, ...claimed }: Claimed) {
  const most = Math.min(maximum ?? perRecord, perRecord, MAX_BYTES);
  if (!Number.isSafeInteger(size) || size < 1) return { key: "errors.wrong_shape", vars: {} };
  if (size > most) return { key: "errors.file_too_large", vars: { size: sizeText(most) } };
  return accept && !isAccepted(accept, claimed) ? { key: "attachments.errors.kind", vars: {} } : undefined;
}
