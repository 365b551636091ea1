import type { Access } from '@carrel/api'
import { useTranslation } from 'react-i18next'

/** The rules of somebody's own in a few words, for lists; nothing where they see all. */
export const useAccessText = (): ((access: Access) => readonly string[]) => {
  const { t } = useTranslation('users')
  return ({ libraries, ageCeiling, allowTags, denyTags, groups }) =>
    [
      libraries === 'all'
        ? undefined
        : libraries.length === 0
          ? t('brief.noLibrary')
          : t('brief.libraries', { count: libraries.length }),
      ageCeiling === null ? undefined : t('brief.age', { age: ageCeiling }),
      allowTags.length + denyTags.length === 0
        ? undefined
        : t('brief.tags', { count: allowTags.length + denyTags.length }),
      groups.length === 0 ? undefined : t('brief.groups', { count: groups.length }),
    ].filter((text) => text !== undefined)
}
