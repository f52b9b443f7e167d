"""Files of the made-up shop that its sessions read and change."""

APP = """\
import { BrowserRouter, Route, Routes } from "react-router-dom";
import { Cart } from "./pages/Cart";
import { Catalogue } from "./pages/Catalogue";
import { Header } from "./parts/Header";

export function App() {
  return (
    <BrowserRouter>
      <Header />
      <Routes>
        <Route path="/" element={<Catalogue />} />
        <Route path="/cart" element={<Cart />} />
      </Routes>
    </BrowserRouter>
  );
}
"""

PACKAGE = """\
{
  "name": "shop",
  "private": true,
  "type": "module",
  "scripts": {
    "dev": "vite",
    "test": "vitest run",
    "build": "tsc --noEmit && vite build"
  },
  "dependencies": {
    "express": "^5.1.0",
    "react": "^19.1.0",
    "react-dom": "^19.1.0",
    "react-router-dom": "^7.6.0"
  }
}
"""

LOGIN = """\
import { FormEvent, useState } from "react";
import { logIn } from "../api/session";

type Errors = { email?: string; password?: string; form?: string };

export function Login() {
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setBusy(true);
    const data = new FormData(event.currentTarget);
    const answer = await logIn(String(data.get("email")), String(data.get("password")));
    setBusy(false);
    setErrors(answer.errors);
  }

  return (
    <form className="login" onSubmit={submit} noValidate>
      <h1>Log in</h1>
      <Field name="email" type="email" label="E-mail" error={errors.email} />
      <Field name="password" type="password" label="Password" error={errors.password} />
      {errors.form && <p role="alert">{errors.form}</p>}
      <button disabled={busy}>{busy ? "One moment…" : "Log in"}</button>
    </form>
  );
}

function Field(props: { name: string; type: string; label: string; error?: string }) {
  const hint = `${props.name}-error`;
  return (
    <label>
      {props.label}
      <input name={props.name} type={props.type} aria-describedby={props.error && hint} />
      {props.error && <span id={hint} className="error">{props.error}</span>}
    </label>
  );
}
"""

SESSION_CLIENT = """\
export async function logIn(email: string, password: string) {
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return { ok: response.ok, ...(await response.json()) };
}
"""

SESSION_SERVER = """\
import { Router } from "express";
import { findUser, passwordMatches } from "./users";

export const session = Router();

session.post("/api/session", async (req, res) => {
  const { email, password } = req.body;
  const user = await findUser(email);
  if (!user) return res.status(422).json({ errors: { email: "We do not know this address" } });
  if (!(await passwordMatches(user, password)))
    return res.status(422).json({ errors: { password: "That is not the password" } });
  res.json({ token: user.newToken() });
});
"""

LOGIN_TEST = """\
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Login } from "../src/pages/Login";
import * as api from "../src/api/session";

test("shows the server's error below its field", async () => {
  vi.spyOn(api, "logIn").mockResolvedValue({ ok: false, errors: { email: "We do not know this address" } });
  render(<Login />);
  await userEvent.type(screen.getByLabelText("E-mail"), "nobody@example.org");
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByText("We do not know this address")).toBeVisible();
});

test("logs in and goes on", async () => {
  vi.spyOn(api, "logIn").mockResolvedValue({ ok: true });
  render(<Login />);
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
  expect(screen.queryByRole("alert")).toBeNull();
});
"""

STYLE = """\
.login {
  display: grid;
  gap: 1rem;
  min-height: 100vh;
  align-content: center;
  max-width: 22rem;
  margin: 0 auto;
}

.login .error {
  color: var(--alarm);
  font-size: 0.875rem;
}
"""

COMPOSE = """\
services:
  web:
    image: registry.example.org/shop:${TAG}
    ports: ["8080:8080"]
    environment:
      DATABASE_URL: ${DATABASE_URL}
      SESSION_SECRET: ${SESSION_SECRET}
    healthcheck:
      test: ["CMD", "curl", "-fsS", "http://localhost:8080/healthz"]
      interval: 10s
      retries: 3
  db:
    image: postgres:17
    volumes: ["data:/var/lib/postgresql/data"]
volumes:
  data:
"""
