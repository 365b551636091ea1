import { bookTypes, readingDirections, seriesStatuses } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { isField, shapeOf } from './fields.ts'

const choices = [...seriesStatuses, ...bookTypes, ...readingDirections] as const

/** A word of the contract in the words of people. */
export const useChoiceText = (): ((choice: string) => string) => {
  const { t } = useTranslation('metadata')
  return (choice) => {
    const match = choices.find((each) => each === choice)
    return match ? t(`choice.${match}`) : choice
  }
}

/** It names a field; an unknown field of a newer server stands for itself. */
export const useFieldText = (): ((field: string) => string) => {
  const { t } = useTranslation('metadata')
  return (field) => (isField(field) || field === 'cover' ? t(`field.${field}`) : field)
}

export const useTruthText = (): ((truth: boolean) => string) => {
  const { t } = useTranslation('metadata')
  return (truth) => t(truth ? 'yes' : 'no')
}

/** It puts any value of a field into words, for people who compare. */
export const useValueText = (): ((name: string, value: unknown) => string) => {
  const { t } = useTranslation('metadata')
  const choiceText = useChoiceText()
  const truthText = useTruthText()
  return (name, value) => {
    if (value === null || value === undefined || value === '') return t('nothing')
    if (Array.isArray(value)) return value.length === 0 ? t('nothing') : value.map(partText).join(' · ')
    if (typeof value === 'boolean') return truthText(value)
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
