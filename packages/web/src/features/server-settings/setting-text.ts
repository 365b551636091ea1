import type { SettingDto, SettingValue } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useRhythmText } from '../../schedules/rhythm-text.ts'
import { knownCategory, knownKey } from './setting-keys.ts'

type Described = Pick<SettingDto, 'key' | 'description' | 'category'>

/** It names settings and their values in the language of the user. */
export const useSettingText = () => {
  const { t, i18n } = useTranslation('server-settings')
  const rhythm = useRhythmText()
  const language = i18n.resolvedLanguage
  const number = (value: number): string => new Intl.NumberFormat(language).format(value)
  const bytes = (value: number): string => {
    const [size, unit] = value >= 1024 ** 3 ? [value / 1024 ** 3, 'GiB'] : [value / 1024 ** 2, 'MiB']
    return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(size)} ${unit}`
  }
  const name = ({ key }: Described): string => {
    const settingKey = knownKey(key)
    return settingKey === undefined ? key : t(`setting.${settingKey}.name`)
  }
  const text = ({ key, description }: Described): string => {
    const settingKey = knownKey(key)
    return settingKey === undefined ? description : t(`setting.${settingKey}.text`)
  }
  return {
    name,
    text,
    category: (category: string): string => {
      const categoryKey = knownCategory(category)
      return categoryKey === undefined ? category : t(`category.${categoryKey}`)
    },
    value: (key: string, value: SettingValue): string => {
      if (typeof value === 'boolean') return t(value ? 'on' : 'off')
      if (typeof value === 'number') return isBytes(key) ? `${number(value)} (${bytes(value)})` : number(value)
      if (typeof value !== 'string') return value.length === 0 ? t('nothing') : value.join(', ')
      if (isSchedule(key)) return rhythm(value)
      return value === '' ? t('nothing') : value
    },
  }
}

export const isBytes = (key: string): boolean => key.endsWith('_bytes')
export const isSchedule = (key: string): boolean => key.endsWith('cron_schedule')
export const isTemplate = (key: string): boolean => key.endsWith('_template')
