import { useTranslation } from 'react-i18next'
import { isField, shapeOf } from './fields.ts'

const choices = [
  'ongoing',
  'ended',
  'hiatus',
  'abandoned',
  'unknown',
  'comic',
  'manga',
  'novel',
  'novella',
  'anthology',
  'artbook',
  'oneshot',
  'omnibus',
  'graphic_novel',
  'magazine',
  'ltr',
  'rtl',
  'ttb',
  'webtoon',
] as const

/** A word of the contract in the words of people. */
export const useChoiceText = (): ((choice: string) => string) => {
  const { t } = useTranslation('editing')
  return (choice) => {
    const known = choices.find((each) => each === choice)
    return known ? t(`choice.${known}`) : choice
  }
}

/** Any value of a field in words: beside each other, for people who compare. */
export const useValueText = (): ((name: string, value: unknown) => string) => {
  const { t } = useTranslation('editing')
  const choiceText = useChoiceText()
  return (name, value) => {
    if (value === null || value === undefined || value === '') return t('nothing')
    if (Array.isArray(value)) return value.length === 0 ? t('nothing') : value.map(partText).join(' · ')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (typeof value !== 'string') return JSON.stringify(value)
    return isField(name) && shapeOf(name).kind === 'choice' ? choiceText(value) : value
  }
}

const partText = (part: unknown): string => {
  if (typeof part !== 'object' || part === null) return String(part)
  const [first = '', ...others] = Object.values(part as Readonly<Record<string, unknown>>)
    .filter((each) => each !== null && each !== undefined && each !== '')
    .map(String)
  return others.length === 0 ? first : `${first} (${others.join(', ')})`
}
