import type { Owner } from "./owner.ts";
import type { AttachmentService } from "./service.ts";

/** After which work in the background counts as interrupted. */
const INTERRUPTED_MS = 900_000;

/** Deletes files whose records no longer exist, and resumes what was interrupted in the background. */
export async function sweepAttachments(service: AttachmentService): Promise<void> {
  if (!(await service.store.isInstalled())) return;
  await detachOrphans(service);
  await service.purge(await service.store.detachedBefore(new Date(Date.now() - service.keepDeleted)));
  const left = await service.store.waitingSince(new Date(Date.now() - INTERRUPTED_MS));
  await service.background.add(left.map(({ id }) => id));
}

/** Finds owners that were deleted past the application, as by a foreign key. */
async function detachOrphans(service: AttachmentService): Promise<void> {
  let after: Owner | undefined;
  do {
    const owners = await service.store.owners(after);
    for (const owner of await service.missing(owners)) await service.store.detach(owner);
    after = owners.at(-1);
  } while (after);
}
