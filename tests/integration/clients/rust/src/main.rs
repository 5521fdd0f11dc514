// SPDX-License-Identifier: Apache-2.0
// Lists and loads everything of a server, as one JSON object: skillhost-client SERVER ARGUMENT...
use rmcp::model::{
    validate_skills, CallToolRequestParams, GetPromptRequestParams, ReadResourceRequestParams, ResourceContents,
};
use rmcp::ServiceExt;
use serde_json::{json, Map, Value};
use std::error::Error;
use std::process::Stdio;

async fn run() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let mut command = tokio::process::Command::new(words.next().ok_or("name the server")?);
    let mut server = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let pipes = (server.stdout.take().ok_or("no output")?, server.stdin.take().ok_or("no input")?);
    let client = ().serve(pipes).await?;

    let skills = client.list_all_skills().await?;
    validate_skills(&skills)?;
    let tools = client.list_all_tools().await?;
    let resources = client.list_all_resources().await?;
    let prompts = client.list_all_prompts().await?;
    let (mut loaded, mut asked, mut read) = (Map::new(), Map::new(), Map::new());
    for prompt in &prompts {
        let name = &prompt.name;
        let mut arguments = Map::new();
        arguments.insert("skill_name".into(), Value::from(name.as_str()));
        let params = CallToolRequestParams::new("load_skill").with_arguments(arguments);
        let result = client.call_tool(params).await.map_err(|error| format!("load_skill {name}: {error}"))?;
        if result.is_error == Some(true) {
            return Err(format!("load_skill {name}: {:?}", result.content).into());
        }
        let text: String = result.content.iter().filter_map(|one| one.as_text()).map(|one| one.text.as_str()).collect();
        loaded.insert(name.clone(), text.into());
        let result = client.get_prompt(GetPromptRequestParams::new(name.clone())).await;
        let result = result.map_err(|error| format!("prompts/get {name}: {error}"))?;
        let first = result.messages.first().ok_or_else(|| format!("prompts/get {name}: no message"))?;
        asked.insert(name.clone(), first.content.as_text().map(|one| one.text.clone()).into());
    }
    for resource in &resources {
        let uri = &resource.uri;
        let result = client.read_resource(ReadResourceRequestParams::new(uri.clone())).await;
        let result = result.map_err(|error| format!("resources/read {uri}: {error}"))?;
        let text = match result.contents.first() {
            Some(ResourceContents::TextResourceContents { text, .. }) => text.clone().into(),
            _ => Value::Null,
        };
        read.insert(uri.clone(), text);
    }
    println!(
        "{}",
        json!({
            "skills": skills.iter().map(|one| one.uri.as_str()).collect::<Vec<_>>(),
            "tools": tools.iter().map(|one| one.name.as_ref()).collect::<Vec<_>>(),
            "loaded": loaded, "asked": asked, "read": read,
        })
    );
    client.cancel().await?;
    server.wait().await?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}
