//! A real browser: Chromium without a window, driven by chromedriver through the WebDriver protocol.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;
use ureq::Agent;

/// What keeps the browser to the page.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
];

/// One browser at a time is enough work for a small machine.
static ALONE: Mutex<()> = Mutex::new(());

/// The key codes of WebDriver.
pub const LEFT: &str = "\u{e012}";
pub const RIGHT: &str = "\u{e014}";
pub const HOME: &str = "\u{e011}";
pub const END: &str = "\u{e010}";

/// A browser with one page, which ends with the value.
pub struct Browser {
    driver: Child,
    agent: Agent,
    session: String,
    _profile: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Browser {
    /// Opens a file in a window of this size.
    pub fn open(file: &Path, width: u32, height: u32) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver runs; scripts/setup --tests installs it");
        let output = driver.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let port = line.split_once("started successfully on port ")?.1;
            Some(port.trim_end_matches('.').to_owned())
        });
        let port = port.expect("chromedriver names its port");
        // It must be able to go on writing.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().expect("a directory");
        let flags = FLAGS.iter().map(|flag| (*flag).to_owned());
        let own = format!("--user-data-dir={}", profile.path().display());
        let arguments: Vec<String> = flags.chain([own]).collect();
        let options = json!({ "args": arguments });
        let agent = Agent::config_builder().http_status_as_error(false).build();
        let mut browser = Browser {
            driver,
            agent: agent.into(),
            session: format!("http://127.0.0.1:{port}/session"),
            _profile: profile,
            _alone: alone,
        };
        let wanted = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let session = browser.post("", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        let id = session["sessionId"].as_str().expect("a session");
        browser.session = format!("{}/{id}", browser.session);
        browser.resize(width, height);
        let url = format!("file://{}", file.display());
        browser.post("/url", &json!({ "url": url }));
        browser
    }

    /// Makes the page as large as that of a device.
    pub fn resize(&self, width: u32, height: u32) {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": params });
        self.post("/goog/cdp/execute", &command);
    }

    /// What a function body returns in the page.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The text of the first element that a selector finds.
    pub fn text(&self, selector: &str) -> String {
        let script = format!(
            "return document.querySelector({}).textContent;",
            json!(selector)
        );
        let text = self.run(&script);
        text.as_str()
            .unwrap_or_else(|| panic!("{selector}: {text}"))
            .to_owned()
    }

    /// How many elements a selector finds.
    pub fn count(&self, selector: &str) -> u64 {
        let script = format!(
            "return document.querySelectorAll({}).length;",
            json!(selector)
        );
        self.run(&script).as_u64().expect("a number")
    }

    /// Clicks on the first element that a selector finds, as a user does.
    pub fn click(&self, selector: &str) {
        let found = json!({ "using": "css selector", "value": selector });
        let element = self.post("/element", &found);
        let id = element
            .as_object()
            .and_then(|element| element.values().next());
        let id = id.and_then(Value::as_str).expect("an element");
        self.post(&format!("/element/{id}/click"), &json!({}));
    }

    /// Presses a key.
    pub fn press(&self, key: &str) {
        let actions = json!([
            { "type": "keyDown", "value": key },
            { "type": "keyUp", "value": key },
        ]);
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.post("/actions", &json!({ "actions": [keyboard] }));
    }

    /// What the page said on the console, and what was wrong with it.
    pub fn console(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({ "type": "browser" }));
        let entries = entries.as_array().expect("entries").iter();
        entries.map(Value::to_string).collect()
    }

    /// Every address that the page asked for.
    pub fn requests(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({ "type": "performance" }));
        let entries = entries.as_array().expect("entries").iter();
        let urls = entries.filter_map(|entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let asks = message["method"] == "Network.requestWillBeSent";
            let url = &message["params"]["request"]["url"];
            asks.then(|| url.as_str().map(str::to_owned)).flatten()
        });
        urls.collect()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}{path}", self.session);
        let answer = self.agent.post(&url).send_json(body);
        let mut answer = answer.unwrap_or_else(|error| panic!("{url}: {error}"));
        let text: Value = answer.body_mut().read_json().expect("an answer in JSON");
        let value = text["value"].clone();
        assert!(answer.status().is_success(), "{url}: {value}");
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session, before its profile goes.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
