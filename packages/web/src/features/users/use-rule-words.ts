import { listLibraries } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { every } from './every.ts'

/** Foreign directions of writing stay within the name. */
const apart = (name: string): string => `\u2068${name}\u2069`
const needsThat = /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFEFC]/

export interface RuleWords {
  readonly libraries: 'all' | readonly string[]
  readonly ageCeiling: number | null
  readonly includeUnrated: boolean
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
}

/** Rules as sentences, in the language of whoever reads them. */
export const useRuleWords = () => {
  const { t, i18n } = useTranslation('users')
  const { data: libraries } = useLater(listLibraries, every)
  const language = i18n.resolvedLanguage
  const and = new Intl.ListFormat(language, { type: 'conjunction' })
  const or = new Intl.ListFormat(language, { type: 'disjunction' })
  const name = (text: string): string => (needsThat.test(text) ? apart(text) : text)
  const quoted = (names: readonly string[]): string[] => names.map((each) => t('quoted', { name: name(each) }))
  const libraryName = (id: string): string => {
    const match = libraries?.data.find((library) => library.id === id)
    return match === undefined ? t('sees.hiddenLibrary') : name(match.name)
  }
  const age = ({ ageCeiling, includeUnrated }: RuleWords): string | undefined =>
    ageCeiling === null
      ? undefined
      : includeUnrated
        ? t('sees.ageOrUnrated', { age: ageCeiling })
        : t('sees.age', { age: ageCeiling })
  return {
    name,
    libraryName,
    quoted,
    /** `ana sees Comics and Manga, rated up to 12, never what is tagged “grown-ups”.` */
    sentence: (who: string, rules: RuleWords): string => {
      const subject = name(who)
      if (rules.libraries !== 'all' && rules.libraries.length === 0) return t('sees.nothing', { name: subject })
      const where =
        rules.libraries === 'all'
          ? t('sees.all', { name: subject })
          : t('sees.some', { name: subject, libraries: and.format(rules.libraries.map(libraryName)) })
      const parts = [
        where,
        age(rules),
        rules.allowed.length === 0 ? undefined : t('sees.only', { tags: or.format(quoted(rules.allowed)) }),
        rules.denied.length === 0 ? undefined : t('sees.never', { tags: or.format(quoted(rules.denied)) }),
      ]
      return `${parts.filter((part) => part !== undefined).join(', ')}.`
    },
  }
}
