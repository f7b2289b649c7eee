const FIELDS = "framewright/plugins/fields";
const words = (text: string): string[] => text.trim().split(/\s+/);

/** What `framewright/plugins/resources` exported, also by its toolkit, and `framewright/plugins/fields` does now. */
const names = words(`
  ActionView Choice ChoiceList ChoiceOption ChoicesContext Coerced ColumnView ConfirmationView ConflictRowView ConflictView
  DeclaredField DetailsView Display DisplayOptions DisplayWords DrawnChoices EmptyView FieldColumn FieldContext FieldFilter
  FieldFrame FieldOptions FieldSource FieldType FieldTypeName FieldTypeOptions FieldTypeTable FieldTypes FieldView
  FieldsetView FilterTypeName FilterView FormView Input InputOptions KeptFileView NEW_BESIDE ORIGINALS PREVIEW PagerView
  REFRESH Read ReadBy RowView ScopeView SearchView SortLink StandardFieldTypes TableView Tone ToolbarView Translate
  ValueRules actionBar actionButton addChoices addEditor choiceOf confirmation conflict defaultOf defineFieldType details
  displayWords displays dynamicParts emptyState errorSummary field fieldView filters form fromStored inputBox inputNames
  inputs isDynamic isRedrawn isRequired isShown listedChoices ownType pageWindow pager problemOf readDefault readField
  readsOthers scopes slot table toStored unseenFields
`);
/** What its toolkit exported, and that of fields does now. */
const toolkit = words(`
  Refused choiceLabel defaultButton hidden isFile isTextKey methodField numberSpan rowLink showNumber
`);

/** The modules of names that are of fields now. */
export const modulesOfFields: Readonly<Record<string, string>> = Object.fromEntries([
  ...names.map((name) => [name, FIELDS] as const),
  ...toolkit.map((name) => [name, `${FIELDS}/toolkit`] as const),
]);
