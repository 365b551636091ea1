import { boundedKey } from '../../platform/text/name-keys.ts'

/** `anilist` and `plugin:anilist` are one source. */
export const externalIdKey = (source: string, id: string): string =>
  boundedKey(`${source.startsWith('plugin:') ? '' : 'plugin:'}${source}:${id}`)
