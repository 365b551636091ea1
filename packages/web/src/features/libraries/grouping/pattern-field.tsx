import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './grouping.module.css'

interface PatternFieldProps {
  readonly pattern: string
  readonly problem: string | undefined
  readonly onChange: (pattern: string) => void
}

const waitMs = 500
const example = '^(?<publisher>[^/]+)/(?<series>[^/]+)/.*?(?<number>\\d+)'

/** The server looks through the folders for each pattern: it is told once somebody pauses. */
export const PatternField = ({ pattern, problem, onChange }: PatternFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const [text, setText] = useState(pattern)
  const [sent, setSent] = useState(pattern)
  if (pattern !== sent) {
    setSent(pattern)
    setText(pattern)
  }
  const send = useDebouncedCallback((typed: string) => {
    setSent(typed)
    onChange(typed)
  }, waitMs)
  return (
    <TextInput
      label={t('pattern.title')}
      description={t('pattern.text')}
      placeholder={example}
      classNames={{ input: styles.pattern ?? '' }}
      maxLength={1000}
      spellCheck={false}
      autoComplete="off"
      value={text}
      error={problem}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        send(value)
      }}
      onBlur={() => send.flush()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // A preview shows what it would make before it is taken.
        event.preventDefault()
        send.flush()
      }}
    />
  )
}
