import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface Text {
  readonly value: string
  readonly onChange: (text: string) => void
}

/** It is a line of text. Required fields are not marked, optional ones are. */
export const TextField = ({ onChange, ...props }: Omit<TextInputProps, 'onChange' | 'value'> & Text): ReactNode => (
  <TextInput withAsterisk={false} {...props} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
)

interface PasswordProps extends Omit<PasswordInputProps, 'onChange' | 'value'>, Text {
  readonly autoComplete: 'current-password' | 'new-password' | 'off'
}

const newPasswordLength = { minLength: 10, maxLength: 256 } as const

/** A password, which can be made visible. A new one is as long as the server wants it. */
export const PasswordField = ({ onChange, autoComplete, ...props }: PasswordProps): ReactNode => {
  const isNew = autoComplete === 'new-password'
  const shortness = useShortness(isNew)
  return (
    <PasswordInput
      withAsterisk={false}
      required
      autoComplete={autoComplete}
      {...(isNew && newPasswordLength)}
      error={shortness.text}
      onInvalid={shortness.notice}
      {...props}
      onChange={({ currentTarget }) => {
        shortness.look(currentTarget)
        onChange(currentTarget.value)
      }}
    />
  )
}

/** The browser would say it in a bubble over what comes below; here it stands with the field. */
const useShortness = (isNew: boolean) => {
  const { t } = useTranslation()
  const [length, setLength] = useState<number>()
  return {
    text: length === undefined ? undefined : t('passwordShort', { min: newPasswordLength.minLength, count: length }),
    notice: (event: FormEvent<HTMLInputElement>): void => {
      const { currentTarget } = event
      if (!isNew || !currentTarget.validity.tooShort) return
      event.preventDefault()
      setLength(currentTarget.value.length)
      currentTarget.focus()
    },
    look: ({ value }: HTMLInputElement): void =>
      setLength((before) =>
        before === undefined || value.length >= newPasswordLength.minLength ? undefined : value.length,
      ),
  }
}
