import { useTranslation } from 'react-i18next'

const knownRoles = [
  'author',
  'writer',
  'penciller',
  'penciler',
  'inker',
  'colorist',
  'letterer',
  'cover',
  'editor',
  'translator',
  'artist',
  'co_author',
  'illustrator',
  'contributor',
  'cover_artist',
  'narrator',
] as const

/** What somebody did for a work, in words; what nobody knows is said as it is written, without its underscores. */
export const useRoleName = (): ((role: string) => string) => {
  const { t } = useTranslation('lists')
  return (role) => {
    const listedRole = knownRoles.find((each) => each === role.toLowerCase())
    return listedRole === undefined ? role.replaceAll('_', ' ') : t(`role.${listedRole}`)
  }
}
