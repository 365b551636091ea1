/** The same fields, absent or undefined. */
type Unsure<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined }

/** It drops undefined values and empty lists. */
export const withoutMissing = <Fields extends object>(fields: Unsure<Fields>): Fields => {
  const given: Partial<Fields> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) given[name] = value as Fields[typeof name]
  }
  return given as Fields
}
