import type { TaskDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useFailureSentence } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { kindOf } from './kinds.ts'
import { timeLeft } from './time-left.ts'

const steps = {
  copying: 'copying',
  packing: 'packing',
  checking: 'checking',
  unpacking: 'checking',
  'reading rows': 'checking',
  'writing rows': 'packing',
  'restoring a copy': 'proving',
} as const

/** It puts a task and its state into words. */
export const useTaskText = () => {
  const { t, i18n } = useTranslation('tasks')
  const { ago, span } = useTimeText()
  const sentence = useFailureSentence()
  const number = (value: number): string => new Intl.NumberFormat(i18n.resolvedLanguage).format(value)

  const name = (taskType: string): string => {
    const kind = kindOf(taskType)
    return kind === undefined ? taskType : t(`name.${kind}`)
  }
  const why = (taskType: string): string => {
    const kind = kindOf(taskType)
    return kind === undefined ? t('whyUnknown') : t(`why.${kind}`)
  }
  /** The message of a backup is a step that has a name here; that of others is the name of something. */
  const stepIn = (message: string): string => {
    const step = Object.entries(steps).find(([each]) => each === message)?.[1]
    return step === undefined ? message : t(`step.${step}`)
  }
  const progress = ({ progress, startedAt }: TaskDto): string => {
    if (!progress || progress.current + progress.total === 0) return t('begun')
    const { current, total, message } = progress
    const left = startedAt === null ? undefined : timeLeft(progress, Date.now() - Date.parse(startedAt))
    const parts = [
      total > current ? t('progress', { current: number(current), total: number(total) }) : number(current),
      left === undefined ? null : t('left', { time: span(left) }),
      message === null ? null : stepIn(message),
    ]
    return parts.filter((part) => part !== null && part !== '').join(' · ')
  }
  /** It says how far the task is, how it ended, or when it is tried again. */
  const standing = (task: TaskDto): string => {
    const { status, attempts, scheduledFor, startedAt, completedAt, lastFailure } = task
    switch (status) {
      case 'processing':
        return progress(task)
      case 'pending':
        return attempts === 0
          ? t('waits', { when: ago(task.createdAt) })
          : t('again', { when: ago(scheduledFor), error: lastFailure === null ? '' : sentence(lastFailure) })
      case 'failed':
        return lastFailure === null ? t('failedUnknown') : sentence(lastFailure)
      case 'completed':
      case 'cancelled': {
        const took =
          startedAt !== null && completedAt !== null ? Date.parse(completedAt) - Date.parse(startedAt) : undefined
        const when = ago(completedAt ?? task.createdAt)
        return took === undefined ? when : t('took', { when, time: span(Math.max(0, took)) })
      }
    }
  }
  return { name, why, standing }
}
