import { useTranslation } from 'react-i18next'
import { numberFormat } from './formats.ts'

const minute = 60_000
/** From here on minutes are more than anybody can promise. */
const onlyHours = 10

/** `35 min`, `2 hr 20 min`, `14 hr`: how long something takes, as exact as one can know. */
export const useDurationText = (): ((ms: number) => string) => {
  const { i18n } = useTranslation()
  const say = (value: number, unit: 'hour' | 'minute'): string =>
    numberFormat(i18n.resolvedLanguage, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
  return (ms) => {
    const minutes = Math.max(1, Math.round(ms / minute))
    if (minutes < 60) return say(minutes, 'minute')
    if (minutes >= onlyHours * 60) return say(Math.round(minutes / 60), 'hour')
    const [hours, rest] = [Math.floor(minutes / 60), Math.round((minutes % 60) / 5) * 5]
    if (rest === 60) return say(hours + 1, 'hour')
    return rest === 0 ? say(hours, 'hour') : `${say(hours, 'hour')} ${say(rest, 'minute')}`
  }
}
