/** By what the runs of imports are known, and those that undo one. The dot keeps it apart from the keys of actions. */
export const IMPORT_ACTION = "import";
export const UNDO_ACTION = "import.undo";
