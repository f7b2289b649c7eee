import { join } from "node:path";
import type { Reply } from "framewright/host";
import { AsyncSeriesBailHook, checkOptions, definePlugin, option, type Plugin, stage } from "framewright/kernel";
import type {} from "framewright/plugins/openapi";
import type {} from "framewright/plugins/trash";
import type {} from "framewright/plugins/undo";
import { showAttachment, showAttachments, showThumbnail } from "./answers.ts";
import { BackgroundWork, JOB } from "./background_work.ts";
import type { AttachmentHooks } from "./contract.ts";
import { fieldsOf, fileMacro } from "./definition_macros.ts";
import { describeFiles } from "./describe_files.ts";
import { signNewUpload, signUpload } from "./direct_uploads.ts";
import { errors } from "./errors.ts";
import { attachmentTypes } from "./field_types.ts";
import { generators } from "./generators/index.ts";
import { AttachmentHandler } from "./handler.ts";
import { ownerOf, ownerType } from "./owner.ts";
import { attachmentSource } from "./personal_data.ts";
import { AttachmentService } from "./service.ts";
import { hasSharp, Thumbnails } from "./thumbnails.ts";

export type {
  Attachment,
  AttachmentHooks,
  AttachmentState,
  Attachments,
  Files,
  NewAttachment,
  OneFile,
  ScannedFile,
  ShownFile,
  ThumbnailState,
} from "./contract.ts";
export type { FileOptions, FilesOptions, ImageOptions } from "./field_options.ts";
export { type MovedColumn, moveColumn, restoreColumn } from "./move_column.ts";

declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** The files of a record under one name. */
    showAttachments(): Promise<Reply>;
    /** One of them. */
    showAttachment(): Promise<Reply>;
    showThumbnail(): Promise<Reply>;
    /** A form for a file of a new record, which a browser sends to the storage by itself. */
    signNewUpload(): Promise<Reply>;
  }
}

/** Options of `attachments()`. */
export interface AttachmentOptions {
  /** Bytes of all files of a record together; 500,000,000 by default. */
  perRecord?: number;
  /** Milliseconds for which the bytes of a file stay whose record is deleted, since deletions can be undone; an hour by default. */
  keepDeleted?: number;
  /** False: no thumbnails are drawn, whether the application has sharp or not. */
  thumbnails?: boolean;
}

/** Longer than the plugin undo() keeps deletions. */
const KEPT_MS = 3_600_000;
const SWEEP_MS = 10 * 60_000;
const MAX_RECORD_BYTES = 500_000_000;

/** Files of records: `this.files("photos")` in a definition. A table of `fw:attachments:install`. */
export function attachments(options: AttachmentOptions = {}): Plugin {
  checkOptions("attachments", options, {
    perRecord: option.number,
    keepDeleted: option.number,
    thumbnails: option.boolean,
  });
  return definePlugin({
    name: "attachments",
    generators,
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "storage", "resources"],
    uses: ["jobs"],
    provides: "attachments",
    hooks: (): AttachmentHooks => ({ scan: new AsyncSeriesBailHook(["file"]) }),
    apply({ services: { assets, database, host, jobs, resources, storage }, hooks, settings }) {
      const log = () => host.log;
      const background = new BackgroundWork({
        ...{ storage, jobs, log, root: settings.root },
        store: () => service.store,
        scan: hooks.attachments.scan,
        thumbnails: options.thumbnails !== false && hasSharp() ? new Thumbnails() : undefined,
      });
      const { perRecord = MAX_RECORD_BYTES, keepDeleted = KEPT_MS } = options;
      const service = new AttachmentService({ database, storage, background, log, perRecord, keepDeleted });
      const handler = new AttachmentHandler(() => service);
      const types = new Set<string>(); // the models whose records have files, in whichever portal
      for (const [name, type] of Object.entries(attachmentTypes)) resources.fieldTypes.add(name, type as never);
      for (const kind of ["file", "files", "image"] as const)
        resources.registry.definitionMacros.define("attachments", kind, fileMacro(kind, handler));
      assets.add("uploads.js", join(import.meta.dirname, "client/uploads.js"));
      resources.addActions({ showAttachments, showAttachment, showThumbnail, signNewUpload });
      hooks.resources.place.tap("attachments", ({ about, base, member, draw }) => {
        if (fieldsOf(about.registration.definition).size === 0) return;
        types.add(ownerType(about.registration.model));
        draw("GET", `${member}/files/:file_field`, { action: "showAttachments", policy: "canShow" });
        draw("GET", `${member}/files/:file_field/:file_number`, { action: "showAttachment", policy: "canShow" });
        draw("GET", `${member}/files/:file_field/:file_number/:file_size`, {
          action: "showThumbnail",
          policy: "canShow",
        });
        if (!storage.direct) return;
        draw("POST", `${base}/new/uploads/:file_field`, { action: "signNewUpload", policy: "canCreate" });
        const edit = { action: "update", policy: "canUpdate", answer: signUpload } as const;
        draw("POST", `${member}/edit/uploads/:file_field`, edit);
      });
      hooks.resources.destroying.tapPromise("attachments", async ({ record, transaction }) => {
        const owner = ownerOf(record);
        if (!types.has(owner.type)) return;
        await service.store.forget(owner, transaction); // only what it has now comes back with it
        await service.store.detach(owner, transaction);
      });
      hooks.undo?.restored.tapPromise("attachments", async ({ records, transaction }) => {
        const since = new Date(Date.now() - keepDeleted);
        for (const owner of records.map(ownerOf))
          if (types.has(owner.type)) await service.store.reattach(owner, since, transaction);
      });
      hooks.trash?.purging.tapPromise("attachments", async ({ records, transaction }) => {
        for (const owner of records.map(ownerOf))
          if (types.has(owner.type)) await service.store.detach(owner, transaction);
      });
      hooks.personal_data?.sources.tap("attachments", (sources) => sources.add(attachmentSource(service)));
      if (hooks.openapi) describeFiles(hooks.openapi);
      jobs?.define<{ id: number }>(JOB, ({ id }) => background.process(id));
      hooks.host?.examine.tapPromise("attachments", async (findings) => {
        const isInstalled = await service.store.isInstalled();
        const pictures = hasSharp() ? "thumbnails by sharp" : "no thumbnails: sharp is not installed";
        const detail = isInstalled ? pictures : errors.FW_ATTACHMENTS_TABLE().message;
        findings.push({ what: "attachments", ok: isInstalled, detail });
      });
      host.periodic.add(SWEEP_MS, () => service.sweep());
      hooks.kernel.close.tapPromise({ name: "attachments", stage: stage.early }, () => background.stop());
      return service;
    },
  });
}
