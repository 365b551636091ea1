/** The same fields, absent or undefined. */
type Unsure<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined }

/** Only what is said: neither what is undefined nor what is an empty list. */
export const saidOf = <Fields extends object>(fields: Unsure<Fields>): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  ) as Fields
