import { hash } from 'node:crypto'

/** The tag of what is made of these. */
export const versionOf = (parts: readonly unknown[]): string => hash('sha1', JSON.stringify(parts), 'base64url')
