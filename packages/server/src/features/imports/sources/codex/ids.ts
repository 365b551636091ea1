/** Ids are 16 bytes on SQLite; on PostgreSQL and in older files they are text. Null: it is no id. */
export const uuidOf = (value: unknown): string | null => {
  const digits = digitsOf(value)
  return digits === null ? null : digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const digitsOf = (value: unknown): string | null => {
  const digits =
    value instanceof Uint8Array && value.byteLength === 16
      ? Buffer.from(value).toString('hex')
      : String(value).replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(digits) ? digits : null
}

/** A statement takes an id as digits without hyphens. */
export const hexOf = (uuid: string): string => uuid.replaceAll('-', '')
