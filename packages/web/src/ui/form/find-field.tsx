import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, type Ref, useState } from 'react'
import { Icon } from '../icon.tsx'

interface FindFieldProps {
  readonly label: string
  readonly className?: string | undefined
  readonly value: string
  readonly onChange: (text: string) => void
  readonly input?: Ref<HTMLInputElement>
}

const waitMs = 200

/**
 * It finds as one types, a moment after the last letter. What comes from elsewhere, such as by the way back, is taken
 * over.
 */
export const FindField = ({ label, className, value, onChange, input }: FindFieldProps): ReactNode => {
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (value !== sent) setTyped(value)
  }
  const send = useDebouncedCallback((text: string) => {
    setSent(text)
    onChange(text)
  }, waitMs)
  return (
    <TextInput
      ref={input}
      className={className ?? ''}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={100}
      leftSection={<Icon name="search" size="small" />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        send(currentTarget.value)
      }}
    />
  )
}
