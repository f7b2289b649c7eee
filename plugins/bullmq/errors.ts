import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_BULLMQ_PACKAGE: () => 'bullmq() needs the package "bullmq", and it is not installed. Run: npm install bullmq',
});
