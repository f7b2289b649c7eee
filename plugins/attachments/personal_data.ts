import type { PersonalSource } from "framewright/plugins/personal_data";
import type { Attachment } from "./contract.ts";
import { ownerType } from "./owner.ts";
import type { AttachmentService } from "./service.ts";

const TABLE = "framewright_attachments";

/** The files of a person's rows: exported as they are, erased with their bytes and thumbnails. */
export function attachmentSource(service: AttachmentService): PersonalSource {
  return {
    name: "attachments",
    async *files(model, keys) {
      if (!(await service.store.isInstalled())) return;
      for (const file of await service.store.find({ type: ownerType(model), ids: keys }))
        if (file.state !== "refused") yield { name: `${file.id}-${file.name}`, open: () => service.stream(file) };
    },
    async eraseRows({ transaction, hasTable, deleteFile }, model, rows, keepsFiles) {
      if (!hasTable(TABLE)) return;
      const keys = rows.filter(({ fate }) => fate === "deleted" || !keepsFiles).map(({ key }) => key);
      if (keys.length === 0) return;
      const own = () =>
        transaction(TABLE)
          .where({ owner_type: ownerType(model) })
          .whereIn("owner_id", keys);
      for (const { storage_key, large_key, small_key } of (await own()) as Attachment[])
        for (const key of [storage_key, large_key, small_key]) if (key !== null) deleteFile(key);
      await own().delete();
    },
  };
}
