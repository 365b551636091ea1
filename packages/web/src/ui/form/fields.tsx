import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'

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
export const PasswordField = ({ onChange, autoComplete, ...props }: PasswordProps): ReactNode => (
  <PasswordInput
    withAsterisk={false}
    required
    autoComplete={autoComplete}
    {...(autoComplete === 'new-password' && newPasswordLength)}
    {...props}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
